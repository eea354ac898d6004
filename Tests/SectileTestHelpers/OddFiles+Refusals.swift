extension OddFiles {
  /// The tables and views that nobody can read without the program, and what SQLite says of each.
  ///
  /// All others can be read.
  package static let refusals: [String: [String: String]] = [
    "android-contacts2": [
      "view_phone": "no such function: _PHONE_NUMBER_STRIPPED_REVERSED",
      "view_raw_contacts": "no such collation sequence: PHONEBOOK",
      "view_stream_items": "no such table: main.stream_items",
    ],
    // The key of a table without row ids has it: no way leads through the table.
    "anki": ["tags": "no such collation sequence: unicase"],
    "banshee": ["SearchKeys": "no such function: HYENA_SEARCH_KEY"],
    "calibre": [
      "meta": "no such function: sortconcat",
      "tag_browser_filtered_tags": "no such function: books_list_filter",
    ],
    "clementine": ["songs_fts": "unknown tokenizer: unicode"],
    "curiosities": [
      "count_wrong": "expected 2 columns for 'count_wrong' but got 1",
      "fails_late": "integer overflow",
      "gone_collation": "no such collation sequence: mine",
      "gone_function": "no such function: my_function",
      "gone_table": "no such table: main.not_there",
    ],
    "evernote": ["search_text": "no such tokenizer: evernote"],
    "fossil": [
      "artifact": "no such function: content",
      "ftscontent": "no such table: main.ftsdocs",
      // A full-text table that keeps no rows.
      "ftsidx": "SQL logic error",
    ],
    "geopackage": ["Städte als Text": "no such function: ST_AsText"],
    "ios-addressbook": [
      "ABPersonByName": "no such collation sequence: CPSectionCollation",
      "ABPersonFullTextSearch": "unknown tokenizer: ab_cf_tokenizer",
    ],
    "liferea": [
      "view_broken": "no such column: items.gone",
      "view_circle": "view view_circle is circularly defined",
      "view_of_broken": "no such column: items.gone",
      "view_square": "view view_square is circularly defined",
      "view_ñ&<b>": "no such table: main.itemsets",
    ],
    "thunderbird": [
      "conversationsText": "unknown tokenizer: mozporter",
      "found": "unknown tokenizer: mozporter",
      "messagesText": "unknown tokenizer: mozporter",
    ],
  ]

  /// Those that can be read, and not followed, and what is said of each.
  package static let notFollowed: [String: [String: String]] = [
    // Text in double quotation marks is the name of a column to a store.
    "banshee": ["Played": "the view Played has \"played\" in double quotation marks"],
    // Each of the three names of its row id is that of a column.
    "curiosities": ["0day": "0day declares no primary key"],
  ]

  /// Tables whose declared key holds NULL in some row: their row ids tell their rows apart.
  package static let nullKeys: [String: [String]] = [
    "chrome-web-data": ["autofill"],
    "curiosities": ["a\"b", "intkey", "manykeys"],
    "evernote": ["attrs"],
    "liferea": ["info"],
    "telegram": ["0", "user_contacts_v7"],
    "zotero": ["itemData", "version"],
  ]
}
