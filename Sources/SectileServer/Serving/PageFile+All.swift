#if Server
  extension PageFile {
    /// All files of the page; the manifest names them, too.
    static let all: [PageFile] = [
      PageFile("announce.js", PackageResources.announce_js),
      PageFile("columnmenu.js", PackageResources.columnmenu_js),
      PageFile("dom.js", PackageResources.dom_js),
      PageFile("example.html", PackageResources.example_html),
      PageFile("example.js", PackageResources.example_js),
      PageFile("explain.js", PackageResources.explain_js),
      PageFile("geometry.js", PackageResources.geometry_js),
      PageFile("heads.js", PackageResources.heads_js),
      PageFile("help.js", PackageResources.help_js),
      PageFile("history.js", PackageResources.history_js),
      PageFile("icon.svg", PackageResources.icon_svg),
      PageFile("index.html", PackageResources.index_html),
      PageFile("inspector.js", PackageResources.inspector_js),
      PageFile("keyboard.js", PackageResources.keyboard_js),
      PageFile("menu.js", PackageResources.menu_js),
      PageFile("motion.js", PackageResources.motion_js),
      PageFile("page.js", PackageResources.page_js),
      PageFile("panels.js", PackageResources.panels_js),
      PageFile("query.js", PackageResources.query_js),
      PageFile("rows.js", PackageResources.rows_js),
      PageFile("schema.js", PackageResources.schema_js),
      PageFile("scroll.js", PackageResources.scroll_js),
      PageFile("sectile.d.ts", PackageResources.sectile_d_ts),
      PageFile("sectile.js", PackageResources.sectile_js),
      PageFile("state.js", PackageResources.state_js),
      PageFile("stats.js", PackageResources.stats_js),
      PageFile("style.css", PackageResources.style_css),
      PageFile("table.js", PackageResources.table_js),
      PageFile("tables.js", PackageResources.tables_js),
      PageFile("toolbar.js", PackageResources.toolbar_js),
      PageFile("tree.js", PackageResources.tree_js),
      PageFile("values.js", PackageResources.values_js),
    ]
  }
#endif
