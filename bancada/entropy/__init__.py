"""How much min-entropy do raw samples have? The estimators of NIST SP 800-90B, section 6.3."""
