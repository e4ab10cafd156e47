"""The audit: does what an implementation does depend on its secrets? (docs/reference/audit.md)"""
