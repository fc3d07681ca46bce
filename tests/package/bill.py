"""What is asked of a bill of materials, in whichever package it is."""

import json
import shutil
import subprocess


def named(text):
    """The names of the packages of others in it; each has its licence."""
    bill = json.loads(text)
    texts = {one["licenseId"] for one in bill["hasExtractedLicensingInfos"]}
    assert {package["licenseDeclared"] for package in bill["packages"]} <= texts | {"MIT"}
    return {package["name"] for package in bill["packages"]} - {"synchroscope"}


checker = shutil.which("pyspdxtools")


def complaints(text, folder):
    """Of a checker of others; None: it is well."""
    file = folder / "bill.spdx.json"
    file.write_text(text, encoding="utf-8")
    result = subprocess.run([checker, "-i", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.stdout[-2000:] or "no words" if result.returncode else None
