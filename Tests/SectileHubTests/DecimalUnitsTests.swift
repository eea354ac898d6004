import SectileHub
import Testing

struct DecimalUnitsTests {
  @Test func textIsUnits() {
    let cases: [(text: String, scale: Int, units: Int64?)] = [
      ("12.30", 2, 1230), ("12.3", 2, 1230), ("12", 2, 1200), ("-0.05", 2, -5), ("0", 0, 0),
      ("1.500", 1, 15), ("1.50", 0, nil), ("1.0", 0, 1), ("-0.00", 2, 0), ("0.005", 2, nil),
      ("92233720368547758.07", 2, .max), ("-92233720368547758.08", 2, .min),
      ("92233720368547758.08", 2, nil), ("NaN", 2, nil), ("Infinity", 2, nil), ("", 2, nil),
      ("-", 2, nil), (".5", 2, nil),
      ("1e3", 2, nil), ("1.2.3", 2, nil), ("1.-2", 2, nil),
    ]
    for (text, scale, units) in cases {
      #expect(DecimalUnits.units(text, scale: scale) == units, "\(text)")
    }
  }

  @Test func unitsAreText() {
    let cases: [(units: Int64, scale: Int, text: String)] = [
      (1230, 2, "12.30"), (-5, 2, "-0.05"), (0, 2, "0.00"), (7, 0, "7"), (-7, 0, "-7"),
      (.max, 2, "92233720368547758.07"), (.min, 2, "-92233720368547758.08"),
      (1, 18, "0.000000000000000001"),
    ]
    for (units, scale, text) in cases {
      #expect(DecimalUnits.text(units, scale: scale) == text)
      #expect(DecimalUnits.units(text, scale: scale) == units)
    }
  }
}
