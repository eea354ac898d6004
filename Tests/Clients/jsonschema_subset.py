"""Validates by the part of JSON Schema (2020-12) that the schema of the events uses. Any other keyword is an error."""

import re

KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
            "items", "enum", "const", "oneOf", "anyOf", "not", "pattern", "minLength", "minimum", "maximum",
            "exclusiveMinimum", "exclusiveMaximum"}

TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: not isinstance(value, bool) and (isinstance(value, int) or isinstance(value, float) and value.is_integer()),
}


def complaints(schema, value, root, where="$"):
    """What is wrong with a value; nothing where it is valid."""
    if schema is True:
        return []
    if schema is False:
        return [f"{where} must not be there"]
    unknown = set(schema) - KEYWORDS
    if unknown:
        raise ValueError(f"the validator does not know {sorted(unknown)}")
    found = []
    if "$ref" in schema:
        found += complaints(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root, where)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[each](value) for each in types):
            found.append(f"{where} is no {' or '.join(types)}")
    if "enum" in schema and not any(same(value, each) for each in schema["enum"]):
        found.append(f"{where} is none of {schema['enum']}")
    if "const" in schema and not same(value, schema["const"]):
        found.append(f"{where} is not {schema['const']}")
    for kind, allowed in (("oneOf", lambda count: count == 1), ("anyOf", lambda count: count > 0)):
        if kind in schema:
            results = [complaints(each, value, root, where) for each in schema[kind]]
            if not allowed(sum(not each for each in results)):
                found.append(f"{where} fits {sum(not each for each in results)} of {kind}: {min(results, key=len)[:1]}")
    if "not" in schema and not complaints(schema["not"], value, root, where):
        found.append(f"{where} is what it must not be")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append(f"{where} is not as {schema['pattern']}")
        if len(value) < schema.get("minLength", 0):
            found.append(f"{where} is too short")
    if TYPES["number"](value):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{where} is out of bounds")
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            found.append(f"{where} is out of bounds")
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            found.append(f"{where} is out of bounds")
    if isinstance(value, list) and "items" in schema:
        for offset, each in enumerate(value):
            found += complaints(schema["items"], each, root, f"{where}[{offset}]")
    if isinstance(value, dict):
        found += [f"{where} has no {name}" for name in schema.get("required", []) if name not in value]
        for name, each in value.items():
            if name in schema.get("properties", {}):
                found += complaints(schema["properties"][name], each, root, f"{where}.{name}")
            elif "additionalProperties" in schema:
                found += complaints(schema["additionalProperties"], each, root, f"{where}.{name}")
    return found


def same(left, right):
    return left == right and isinstance(left, bool) == isinstance(right, bool)
