#if Macros
  import Foundation
  import Sectile
  import SectileTestSupport
  import Testing

  // example: program-mail
  @Entity
  struct Mail: Equatable, Identifiable {
    var id: Int64
    @Attribute(.unixSeconds) var receivedAt: Date
    var sender: String
    var subject: String
    var isRead: Bool
  }

  final class Mailbox: Sendable {
    static let migrations = Migrations.inline([
      "V0001_create_mail.sql": """
      CREATE TABLE mail (
        id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, sender TEXT NOT NULL,
        subject TEXT NOT NULL, is_read INTEGER NOT NULL);
      CREATE VIRTUAL TABLE mail_text USING fts5(
        sender, subject, content='mail', content_rowid='id', prefix='2 3');
      CREATE TRIGGER mail_new AFTER INSERT ON mail BEGIN
        INSERT INTO mail_text(rowid, sender, subject) VALUES (new.id, new.sender, new.subject);
      END;
      CREATE TRIGGER mail_gone AFTER DELETE ON mail BEGIN
        INSERT INTO mail_text(mail_text, rowid, sender, subject)
        VALUES ('delete', old.id, old.sender, old.subject);
      END;
      """
    ])

    let store: Store
    let calendar: Calendar
    /// Today, yesterday and earlier, each with the number of unread mails.
    let inbox: ComposedDataSource<Int64, Mail>
    /// The mails that have the words typed so far, by the day on which they came.
    let found: SectionedResults<Mail>
    private let mails: SectionedResults<Mail>

    init(_ store: Store, in calendar: Calendar = .current, now: Date = Date()) throws {
      (self.store, self.calendar) = (store, calendar)
      mails = try store.results(of: Mailbox.byAge(asOf: now, in: calendar))
      inbox = mails.aggregating(.count("unread") { !$0.isRead })
      found = try store.results(of: Mailbox.byDay(in: calendar))
      inbox.load()
      try found.load()
    }

    private static func byAge(asOf now: Date, in calendar: Calendar) -> FetchRequest<Mail> {
      FetchRequest<Mail>().sectioned(byDayOf: \.receivedAt, asOf: now, in: calendar)
        .sort(by: \.receivedAt, .descending)
    }

    private static func byDay(in calendar: Calendar) -> FetchRequest<Mail> {
      FetchRequest<Mail>()
        .sectioned(by: { $0.receivedAt.calendarDay(in: calendar.timeZone) }, .descending)
        .sort(by: \.receivedAt, .descending)
    }

    /// Turns today into yesterday at each midnight, until the task is cancelled.
    func followDays(
      clock: any Clock<Duration> = ContinuousClock(), now: @Sendable () -> Date = { Date() }
    ) async throws {
      let calendar = calendar
      try await mails.updateEachDay(in: calendar, clock: clock, now: now) { now in
        Mailbox.byAge(asOf: now, in: calendar)
      }
    }

    func receive(_ mail: Mail) throws {
      try store.write { try $0.insert(mail) }
    }

    func search(_ typed: String) throws {
      try found.update(to: Mailbox.byDay(in: calendar).searching(typed, in: "mail_text"))
    }

    /// Marks a mail as read, if it is still as it was shown.
    func markRead(_ mail: Mail) throws {
      var read = mail
      read.isRead = true
      try inbox.replaceItem(id: mail.id, with: read, ifStill: mail)
    }

    /// Deletes mails in one step, which ``undo(_:)`` takes back.
    func delete(_ ids: [Int64]) throws -> Store.Undo {
      try store.writeUndoably { transaction in
        for id in ids { try transaction.delete(Mail.self, key: id) }
      }.undo
    }

    @discardableResult
    func undo(_ undo: Store.Undo) throws -> Store.Undo { try store.undo(undo) }
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct MailProgram {
    private func berlin() throws -> Calendar {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
      calendar.firstWeekday = 2
      return calendar
    }

    private func mail(_ id: Int64, _ date: Date, _ sender: String, _ subject: String) -> Mail {
      Mail(id: id, receivedAt: date, sender: sender, subject: subject, isRead: false)
    }

    private func headers(_ mailbox: Mailbox) -> [String] {
      mailbox.inbox.sections.map { "\($0.title): \($0.aggregates)" }
    }

    @Test func theSundayOfMarchHas23Hours() async throws {
      try await passTwoMidnights(
        month: 3, saturday: 28, sundayHours: 23,
        days: ["2026-03-29: 4 3", "2026-03-28: 1", "2026-03-27: 2"])
    }

    @Test func theSundayOfOctoberHas25Hours() async throws {
      try await passTwoMidnights(
        month: 10, saturday: 24, sundayHours: 25,
        days: ["2026-10-25: 4 3", "2026-10-24: 1", "2026-10-23: 2"])
    }

    /// Lets the night before a change of the clocks pass, and the one after it.
    private func passTwoMidnights(
      month: Int, saturday: Int, sundayHours: Int, days: [String]
    ) async throws {
      let calendar = try berlin()
      func moment(_ day: Int, _ hour: Int) throws -> Date {
        try #require(
          calendar.date(from: DateComponents(year: 2026, month: month, day: day, hour: hour)))
      }
      let noon = try moment(saturday, 12)
      let clock = ManualClock()
      let now: @Sendable () -> Date = {
        noon.addingTimeInterval(clock.now.offset / .seconds(1))
      }
      /// Moves the clock, and waits until everything is done.
      func pass(_ seconds: Int) async {
        clock.advance(by: .seconds(seconds))
        while clock.sleeperCount == 0 { await Task.yield() }
      }
      let store = try Store.inMemory(migrations: Mailbox.migrations)
      let mailbox = try Mailbox(store, in: calendar, now: noon)
      try mailbox.receive(mail(1, moment(saturday, 9), "Ada", "Tea at five"))
      try mailbox.receive(mail(2, moment(saturday - 1, 9), "Bob", "Minutes"))
      let following = Task { try await mailbox.followDays(clock: clock, now: now) }
      while clock.sleeperCount == 0 { await Task.yield() }
      #expect(try mailbox.inbox.drawing() == ["Today: 1", "Yesterday: 2"])
      let recorder = try mailbox.inbox.recorded()

      // A second before midnight nothing has changed.
      await pass(12 * 3600 - 1)
      #expect(try recorder.news() == [])
      await pass(1)
      #expect(
        try recorder.news() == [
          """
          S- 0 (today)
          S+ 1 (thisWeek)
          R> [0,0]→[0,0] #1
          R> [1,0]→[1,0] #2
          """
        ])
      #expect(try mailbox.inbox.drawing() == ["Yesterday: 1", "This week: 2"])
      #expect(headers(mailbox) == ["Yesterday: unread 1", "This week: unread 1"])

      // The first second of Sunday, and the last one.
      try mailbox.receive(mail(3, now(), "Cleo", "Good night"))
      await pass(sundayHours * 3600 - 1)
      try mailbox.receive(mail(4, now(), "Dan", "Good evening"))
      #expect(try mailbox.inbox.drawing() == ["Today: 4 3", "Yesterday: 1", "This week: 2"])
      #expect(headers(mailbox)[0] == "Today: unread 2")
      _ = try recorder.news()
      // On Monday a week begins.
      await pass(1)
      #expect(try recorder.news().count == 1)
      #expect(try mailbox.inbox.drawing() == ["Yesterday: 4 3", "Earlier: 1 2"])
      try recorder.check(against: mailbox.inbox)
      #expect(try mailbox.found.drawing() == days)
      following.cancel()
      _ = await following.result
    }

    @Test func mailIsReadSearchedAndDeleted() throws {
      let calendar = try berlin()
      let noon = try #require(
        calendar.date(from: DateComponents(year: 2026, month: 3, day: 28, hour: 12)))
      let store = try Store.inMemory(migrations: Mailbox.migrations)
      let mailbox = try Mailbox(store, in: calendar, now: noon)
      let texts = [("Ada", "Tea at five"), ("Bob", "Teapot"), ("Cleo", "Minutes")]
      for (hour, text) in texts.enumerated() {
        let date = noon.addingTimeInterval(Double(hour - 3) * 3600)
        try mailbox.receive(mail(Int64(hour + 1), date, text.0, text.1))
      }
      #expect(try mailbox.inbox.drawing() == ["Today: 3 2 1"])

      let searching = try mailbox.found.recorded()
      for typed in ["t", "te", "tea", "teap"] { try mailbox.search(typed) }
      #expect(try searching.news() == ["R- [0,0] #3", "R- [0,1] #1"])
      try mailbox.receive(mail(4, noon, "Dan", "Two teapots"))
      #expect(try searching.news() == ["R+ [0,0] #4"])

      let recorder = try mailbox.inbox.recorded()
      let cleo = try mailbox.inbox.item(at: ItemPath(section: 0, item: 1))
      try mailbox.markRead(cleo)
      #expect(
        try recorder.news() == [
          "C~ unread 4→3\nS~ 0→0 (today) unread 4→3\nR~ [0,1]→[0,1] #3"
        ])
      #expect(errorCode { try mailbox.markRead(cleo) } == "editConflict")

      let undo = try mailbox.delete([2, 4])
      #expect(
        try recorder.news() == [
          "C~ unread 3→1\nS~ 0→0 (today) unread 3→1\nR- [0,0] #4\nR- [0,2] #2"
        ])
      #expect(try mailbox.found.drawing() == [])
      let redo = try mailbox.undo(undo)
      #expect(
        try recorder.news() == [
          "C~ unread 1→3\nS~ 0→0 (today) unread 1→3\nR+ [0,0] #4\nR+ [0,2] #2"
        ])
      #expect(try mailbox.found.drawing() == ["2026-03-28: 4 2"])
      try mailbox.undo(redo)
      #expect(try mailbox.inbox.drawing() == ["Today: 3 1"])
      try mailbox.search("")
      #expect(try mailbox.found.drawing() == ["2026-03-28: 3 1"])
      try recorder.check(against: mailbox.inbox)
      try searching.check(against: mailbox.found)
    }
  }
#endif
