-- Who may see the page and what they may do there, where sensors stand, and what people wrote of them (people.rs).

CREATE TABLE IF NOT EXISTS account (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,              -- viewer, operator or administrator
    hash TEXT NOT NULL,              -- of the password (password.rs)
    made_ms BIGINT NOT NULL
);

-- Attempts to log in, also of names that nobody has.
CREATE TABLE IF NOT EXISTS login (
    number {id},
    time_ms BIGINT NOT NULL,
    account TEXT NOT NULL,
    address TEXT NOT NULL,
    outcome TEXT NOT NULL            -- in, wrong or waiting
);
CREATE INDEX IF NOT EXISTS login_by_account ON login (account, address, outcome);

CREATE TABLE IF NOT EXISTS place (
    device BIGINT PRIMARY KEY,
    latitude DOUBLE PRECISION NOT NULL,  -- in degrees, WGS 84
    longitude DOUBLE PRECISION NOT NULL
);

CREATE TABLE IF NOT EXISTS note (
    number {id},
    device BIGINT,                   -- of a sensor, or
    alarm BIGINT,                    -- of an alarm
    time_ms BIGINT NOT NULL,
    account TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS note_by_device ON note (device, number);
CREATE INDEX IF NOT EXISTS note_by_alarm ON note (alarm, number);
