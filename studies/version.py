"""The version of cardlab; the package metadata take it from here."""

VERSION = "0.1.0"
