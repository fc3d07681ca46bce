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
