"""The rules of certificates by families, a row for each; :mod:`exactdp.certificate.rule_table`."""
