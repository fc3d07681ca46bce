"""A bill of materials in SPDX 2.3: what is in a package, with licences."""

import dataclasses
import datetime
import hashlib
import json


@dataclasses.dataclass(order=True)
class Part:
    """A package of others that is inside."""
    name: str
    version: str
    relation: str  # of the program to it: CONTAINS, STATIC_LINK
    supplier: str
    licence: str  # the text


def reference(kind, name):
    return f"SPDXRef-{kind}-" + "".join(c if c.isalnum() or c in ".-" else "-" for c in name)


def package(name, version, licence, supplier):
    return {"SPDXID": reference("Package", name), "name": name, "versionInfo": version, "supplier": supplier,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def licence_reference(name):
    return "LicenseRef-" + reference("x", name).removeprefix("SPDXRef-x-")


def bill(version, parts, time):
    main = package("synchroscope", version, "MIT", "Organization: the Synchroscope authors")
    others = [package(part.name, part.version, licence_reference(part.name), part.supplier) for part in parts]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": main["SPDXID"]}]
    relations += [{"spdxElementId": main["SPDXID"], "relationshipType": part.relation,
                   "relatedSpdxElement": reference("Package", part.name)} for part in parts]
    licences = [{"licenseId": licence_reference(part.name), "name": f"the licences of {part.name}",
                 "extractedText": part.licence} for part in parts]
    digest = hashlib.sha256(json.dumps([others, licences, version, time]).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"synchroscope-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/synchroscope-{digest}",
            "creationInfo": {"created": created, "creators": ["Tool: synchroscope-package"]},
            "packages": [main, *others], "relationships": relations, "hasExtractedLicensingInfos": licences}
