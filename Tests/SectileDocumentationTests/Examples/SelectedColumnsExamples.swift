#if Macros
  import Sectile
  import Testing

  // example: columns-entities
  @Entity
  struct Customer: Identifiable {
    var id: Int64
    var name: String
    var country: String
  }

  @Entity
  struct Line: Identifiable {
    var id: Int64
    var purchaseId: Int64
    var product: String
    var cents: Int

    struct Relationships: EntityRelationships {
      let purchase = ToOne<Purchase>("purchase_id")
    }
  }

  @Entity
  struct Purchase: Identifiable {
    var id: Int64
    var customerId: Int64
    var placedOn: String

    struct Relationships: EntityRelationships {
      let customer = ToOne<Customer>("customer_id")
      let lines = ToMany<Line>("purchase_id")
    }
  }
  // example: end

  // example: columns-row
  struct Receipt: Identifiable {
    var id: Int64
    var placedOn: String
    var customer: String
    var lines: Int
    var cents: Int?  // nil: there are no lines
  }

  let receipts = FetchRequest<Purchase>()
    .sectioned(by: \.customer.country)
    .sort(by: \.placedOn, .descending)
    .selecting(
      { ($0.id, $0.placedOn, $0.customer.name, $0.lines.count, $0.lines.sum(\.cents)) },
      as: Receipt.init)
  // example: end

  @Entity
  struct Stage: Identifiable {
    var id: Int64
    var name: String
    var place: Int
  }

  @Entity
  struct Card: Identifiable {
    var id: Int64
    var stageId: Int64
    var title: String
  }

  @Entity
  struct Player: Identifiable {
    var id: Int64
    var name: String

    struct Relationships: EntityRelationships {
      let scores = ToMany<Score>("player_id")
    }
  }

  @Entity
  struct Score: Identifiable {
    var id: Int64
    var playerId: Int64
    var points: Int
  }

  @Entity
  struct Product: Identifiable {
    var id: Int64
    var name: String
    var cents: Int

    struct Relationships: EntityRelationships {
      let taggings = ToMany<Tagging>("product_id")
    }
  }

  @Entity
  struct Tag: Identifiable {
    var id: Int64
    var name: String

    struct Relationships: EntityRelationships {
      let taggings = ToMany<Tagging>("tag_id")
    }
  }

  @Entity
  struct Tagging: Identifiable {
    var id: Int64
    var productId: Int64
    var tagId: Int64

    struct Relationships: EntityRelationships {
      let product = ToOne<Product>("product_id")
      let tag = ToOne<Tag>("tag_id")
    }
  }

  @Suite struct SelectedColumnsExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func columnsAreSelected() throws {
      let store = try SeveralTablesExamples().makeStore()
      // example: columns-first
      let results = try store.results(of: receipts)
      try results.load()
      let newest = try results[0, 0]
      print("\(newest.customer): \(newest.lines) lines")  // Ada: 0 lines
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { try $0.execute("INSERT INTO line VALUES (4, 3, 'jam', 250)") }
      // R~ [0,0]→[0,0] #3
      try store.write { try $0.execute("UPDATE customer SET name = 'Ada L.' WHERE id = 1") }
      // R~ [0,0]→[0,0] #3
      // R~ [0,1]→[0,1] #1
      // example: end
      observation.cancel()
      #expect(results.statistics.rereadRowCount == 3)
      #expect(results.statistics.rebuildCount == 0)
      #expect(
        transcript.lines
          == ["Ada: 0 lines", "R~ [0,0]→[0,0] #3", "R~ [0,0]→[0,0] #3", "R~ [0,1]→[0,1] #1"])
    }

    @Test func selectedColumnsAreRefined() throws {
      let store = try SeveralTablesExamples().makeStore()
      let results = try store.results(of: receipts)
      try results.load()
      // example: columns-refined
      try results.update(
        to: receipts.refined { $0.filter { $0.lines.exists { $0.product == "tea" } }.limit(10) })
      print(results.numberOfItems)  // 2
      // example: end
      #expect(transcript.lines == ["2"])
    }

    @Test func relatedRowsStandInAnItem() throws {
      let store = try SeveralTablesExamples().makeStore()
      // example: columns-children
      struct Basket: Identifiable {
        var id: Int64
        var customer: String
        var dearest: Children<Line>
      }
      let baskets = FetchRequest<Purchase>().selecting(
        { ($0.id, $0.customer.name, $0.lines.first(2, by: \.cents, .descending)) }, as: Basket.init)
      let results = try store.results(of: baskets)
      try results.load()
      print(try results[0, 0].dearest.map(\.product))  // ["cup", "tea"]
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { try $0.execute("UPDATE line SET cents = 950 WHERE id = 1") }
      // R~ [0,0]→[0,0] #1
      print(try results[0, 0].dearest.map(\.product))  // ["tea", "cup"]
      // example: end
      observation.cancel()
      #expect(results.statistics.rebuildCount == 0)
      #expect(
        transcript.lines == ["[\"cup\", \"tea\"]", "R~ [0,0]→[0,0] #1", "[\"tea\", \"cup\"]"])
    }

    @Test func groupsAreRows() throws {
      let store = try SeveralTablesExamples().makeStore()
      // example: columns-groups
      struct Country: Identifiable {
        var id: String
        var lines: Int
        var cents: Int?
      }
      let countries = FetchRequest<Line>()
        .filter { $0.cents > 100 }
        .grouped(by: \.purchase.customer.country) { groups in
          groups.filter { $0.cents.sum() >= 1000 }.sort(by: { $0.cents.sum() }, .descending)
        }
        .selecting(
          { ($0.purchase.customer.country, $0.id.count(), $0.cents.sum()) }, as: Country.init)
      let results = try store.results(of: countries)
      try results.load()
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { try $0.execute("INSERT INTO line VALUES (4, 2, 'pot', 1000)") }
      // R+ [0,0] #us
      // example: end
      observation.cancel()
      #expect(try results.strategy.kind.isIncremental)
      #expect(results.statistics.rebuildCount == 0)
      #expect(transcript.lines == ["R+ [0,0] #us"])
    }

    // MARK: - Recipes

    @Test func aLeaderboardIsSortedByASum() throws {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE score (
            id INTEGER PRIMARY KEY, player_id INTEGER NOT NULL REFERENCES player,
            points INTEGER NOT NULL);
          CREATE INDEX score_on_player_id ON score (player_id);
          INSERT INTO player VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cid');
          INSERT INTO score VALUES (1, 1, 30), (2, 2, 20), (3, 3, 10);
          """)
      }
      // example: columns-leaders
      struct Leader: Identifiable {
        var id: Int64
        var name: String
        var points: Int?
      }
      let leaders = FetchRequest<Player>()
        .sort(by: { $0.scores.sum(\.points) }, .descending, nulls: .last)
        .limit(2)
        .selecting({ ($0.id, $0.name, $0.scores.sum(\.points)) }, as: Leader.init)
      let results = try store.results(of: leaders)
      try results.load()
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { try $0.execute("INSERT INTO score VALUES (4, 3, 15)") }
      // R- [0,1] #2
      // R+ [0,1] #3
      // example: end
      observation.cancel()
      #expect(results.statistics.rebuildCount == 0)
      #expect(transcript.lines == ["R- [0,1] #2", "R+ [0,1] #3"])
    }

    @Test func aBoardHasStagesWithoutCards() throws {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE stage (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER NOT NULL);
          CREATE TABLE card (
            id INTEGER PRIMARY KEY, stage_id INTEGER NOT NULL REFERENCES stage, title TEXT NOT NULL);
          CREATE INDEX card_on_stage_id ON card (stage_id);
          INSERT INTO stage VALUES (1, 'To do', 1), (2, 'Doing', 2);
          INSERT INTO card VALUES (1, 1, 'write'), (2, 1, 'test');
          """)
      }
      // example: columns-board
      let stages = try store.results(of: FetchRequest<Stage>().sort(by: \.place))
      let cards = try store.results(of: FetchRequest<Card>().sectioned(by: \.stageId))
      let board = cards.sectioned(
        by: { SourceSection(identity: .integer($0.id), title: $0.name) }, of: stages)
      board.load()
      print(board.sections.map(\.title))  // ["To do", "Doing"]
      let observation = board.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try store.write { tx in
        try tx.execute("UPDATE card SET stage_id = 2 WHERE id = 1")
        try tx.execute("UPDATE stage SET name = 'In hand' WHERE id = 2")
      }
      // S~ 1→1 (2)
      // R> [0,0]→[1,0] #1*
      try store.write { try $0.execute("UPDATE stage SET place = 0 WHERE id = 2") }
      // S> 1→0 (2)
      // example: end
      observation.cancel()
      #expect(
        transcript.lines == [
          "[\"To do\", \"Doing\"]", "S~ 1→1 (2)", "R> [0,0]→[1,0] #1*", "S> 1→0 (2)",
        ])
    }

    @Test func aCatalogueHasFacets() throws {
      let store = try Store.inMemory()
      try store.write { tx in
        try tx.execute(
          """
          CREATE TABLE product (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, cents INTEGER NOT NULL);
          CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE tagging (
            id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product,
            tag_id INTEGER NOT NULL REFERENCES tag);
          CREATE INDEX tagging_on_product_id ON tagging (product_id);
          CREATE INDEX tagging_on_tag_id ON tagging (tag_id);
          INSERT INTO product VALUES (1, 'Assam', 400), (2, 'Sencha', 600), (3, 'Gyokuro', 2000);
          INSERT INTO tag VALUES (1, 'green'), (2, 'black');
          INSERT INTO tagging VALUES (1, 1, 2), (2, 2, 1), (3, 3, 1);
          """)
      }
      // example: columns-facets
      struct Facet: Identifiable {
        var id: Int64
        var name: String
        var products: Int
      }
      let green = FetchRequest<Product>()
        .filter { $0.cents <= 1000 && $0.taggings.exists { $0.tag.name == "green" } }
        .sort(by: \.name)
      let facets = FetchRequest<Tag>()
        .sort(by: { $0.taggings.count { $0.product.cents <= 1000 } }, .descending)
        .selecting(
          { ($0.id, $0.name, $0.taggings.count { $0.product.cents <= 1000 }) }, as: Facet.init)
      let products = try store.results(of: green)
      let counts = try store.results(of: facets)
      try products.load()
      try counts.load()
      try store.write { try $0.execute("UPDATE product SET cents = 900 WHERE id = 3") }
      print(products.numberOfItems)  // 2
      let first = try counts[0, 0]
      print("\(first.name): \(first.products)")  // green: 2
      // example: end
      #expect(products.statistics.rebuildCount + counts.statistics.rebuildCount == 0)
      #expect(transcript.lines == ["2", "green: 2"])
    }
  }
#endif
