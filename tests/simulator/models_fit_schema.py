"""Every model of the program fits docs/model.schema.json."""

import glob
import json
import sys

import jsonschema

house = sys.argv[1]
with open(house + "/docs/model.schema.json", encoding="utf-8") as file:
    schema = json.load(file)
models = glob.glob(house + "/models/*.json")
assert models, "there are no models"
for path in models:
    with open(path, encoding="utf-8") as file:
        jsonschema.validate(json.load(file), schema)

# What no model of the program has.
with open(models[0], encoding="utf-8") as file:
    more = json.load(file)
constant = {"value": 1, "kind": "assumed", "from": "a test"}
more["wake"] |= {"contend": constant, "idle": {"C1E": {"after": constant, "exit": constant}}}
jsonschema.validate(more, schema)
for wrong in ({"C1": {"after": constant}}, {"C.1": {"after": constant, "exit": constant}}):
    more["wake"]["idle"] = wrong
    assert not jsonschema.validators.validator_for(schema)(schema).is_valid(more), wrong
