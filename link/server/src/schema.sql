-- {id}, {blob}, {reading_key} and {clustered} are what SQLite and PostgreSQL write differently (schema.rs). All times
-- are unix milliseconds.

CREATE TABLE IF NOT EXISTS setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS device (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    master {blob} NOT NULL,          -- sealed with the server's key (keys.rs)
    slot BIGINT NOT NULL,
    slots BIGINT NOT NULL,
    period_s BIGINT NOT NULL,
    channel BIGINT NOT NULL,
    revoked_ms BIGINT,
    alarm_pulses BIGINT NOT NULL DEFAULT 0, -- of the sensor's own warning; 0: the firmware's
    power BIGINT NOT NULL DEFAULT 0,        -- of its module: 0 to 3, the highest first
    region BIGINT NOT NULL DEFAULT 0,       -- whose law it keeps (regions.rs)
    ratchets BIGINT NOT NULL DEFAULT 0      -- whether its keys do (device_key.rs)
);

-- What a device is to be told, and what became of it (answers.rs).
CREATE TABLE IF NOT EXISTS wanted (
    device BIGINT NOT NULL REFERENCES device (id),
    setting TEXT NOT NULL,
    value BIGINT NOT NULL,
    state TEXT NOT NULL,             -- wanted, confirmed, refused
    wanted_ms BIGINT NOT NULL,
    told BIGINT NOT NULL DEFAULT 0,  -- how often
    receipts BIGINT NOT NULL DEFAULT 0, -- of the orders that told it (wanted.rs)
    ended_ms BIGINT,                 -- confirmed or refused
    PRIMARY KEY (device, setting)
);
-- The number of the last order to a device, under whatever key. It never goes back.
CREATE TABLE IF NOT EXISTS down (
    device BIGINT PRIMARY KEY REFERENCES device (id),
    number BIGINT NOT NULL
);

-- One row for each key a device ever had: its replay window, and the newest reading, for the page.
CREATE TABLE IF NOT EXISTS epoch (
    device BIGINT NOT NULL REFERENCES device (id),
    epoch BIGINT NOT NULL,
    suite BIGINT NOT NULL,
    retired BIGINT NOT NULL DEFAULT 0,
    retires_ms BIGINT,               -- the time the operator set, if any
    highest BIGINT,                  -- the window: highest counter, and the 64 bits below it
    seen BIGINT NOT NULL DEFAULT 0,
    base BIGINT NOT NULL DEFAULT 0,  -- first counter since the last boot: those skipped by a reset were never sent
    accepted BIGINT NOT NULL DEFAULT 0,
    last_received_ms BIGINT,         -- of the highest counter: by the gateway's clock,
    heard_ms BIGINT,                 -- by the server's,
    time_ms BIGINT,                  -- and when it was taken (moments.rs)
    device_time_s BIGINT,
    rain_pulses BIGINT,
    temperature_mc BIGINT,
    supply_mv BIGINT,
    flags BIGINT,
    pace_counter BIGINT,             -- while the sensor's clock is not set: a counter,
    pace_ms BIGINT,                  -- and the latest time at which its frame was taken (moments.rs)
    gauge TEXT,                      -- whether its rain goes on from the key before (gauge.rs)
    PRIMARY KEY (device, epoch)
);

CREATE TABLE IF NOT EXISTS gateway (
    name TEXT PRIMARY KEY,
    serial TEXT NOT NULL,            -- of all its certificates, hexadecimal, newest first, with spaces between
    revoked_ms BIGINT,
    last_seen_ms BIGINT,
    status TEXT,
    status_ms BIGINT                 -- when the status came, by the server's clock
);

-- The newest certificate of each gateway, in unix seconds; none for one that was provisioned before this table was.
CREATE TABLE IF NOT EXISTS certificate (
    gateway TEXT PRIMARY KEY,
    begins_s BIGINT NOT NULL,
    ends_s BIGINT NOT NULL
);

-- When two machines were last noticed to use one gateway's certificate (outboxes.rs).
CREATE TABLE IF NOT EXISTS double_use (
    gateway TEXT PRIMARY KEY,
    noticed_ms BIGINT NOT NULL
);

-- Where a reading came from: a gateway's outbox. A new disk in the gateway is a new outbox.
CREATE TABLE IF NOT EXISTS outbox (
    number {id},
    gateway TEXT NOT NULL,
    uuid {blob} NOT NULL,
    UNIQUE (gateway, uuid)
);

-- How strongly gateways received the last frames, where their modules tell (signal.rs).
CREATE TABLE IF NOT EXISTS signal (
    device BIGINT NOT NULL,
    outbox BIGINT NOT NULL,
    place BIGINT NOT NULL,           -- counter modulo 1024
    epoch BIGINT NOT NULL,
    counter BIGINT NOT NULL,
    dbm BIGINT NOT NULL,
    stored_ms BIGINT NOT NULL,
    PRIMARY KEY (device, outbox, place)
);
CREATE TABLE IF NOT EXISTS signal_newest (
    device BIGINT NOT NULL,
    outbox BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    counter BIGINT NOT NULL,
    dbm BIGINT NOT NULL,
    stored_ms BIGINT NOT NULL,
    PRIMARY KEY (device, outbox)
);

-- Frames that a further gateway heard too (hearings.rs): for each of its outboxes a window like the epoch's.
CREATE TABLE IF NOT EXISTS hearing (
    device BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    outbox BIGINT NOT NULL,
    highest BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    last_id BIGINT NOT NULL,         -- the highest id of these copies in the outbox
    PRIMARY KEY (device, epoch, outbox)
);

-- In PostgreSQL one part for each month by stored_ms (partitions.rs), each with a key of its own: device, epoch,
-- counter.
CREATE TABLE IF NOT EXISTS reading (
    device BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    counter BIGINT NOT NULL,
    kind BIGINT NOT NULL,            -- the frame's type: 0 data, 1 boot
    received_ms BIGINT NOT NULL,     -- by the gateway's clock
    stored_ms BIGINT NOT NULL,       -- by the server's
    outbox BIGINT NOT NULL,
    outbox_id BIGINT NOT NULL,
    device_time_s BIGINT NOT NULL,   -- the four variables of the frame; a boot frame's in the same places
    second BIGINT NOT NULL,
    third BIGINT NOT NULL,
    fourth BIGINT NOT NULL,
    time_ms BIGINT NOT NULL          -- when it was taken; rises with the counter (moments.rs)
    {reading_key}
) {clustered};

-- Counters at which it does not: a server's clock that had been ahead was set back (period.rs).
CREATE TABLE IF NOT EXISTS set_back (
    device BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    counter BIGINT NOT NULL,
    PRIMARY KEY (device, epoch, counter)
);

-- Months since January 1970 in which readings were stored (retention.rs).
CREATE TABLE IF NOT EXISTS month (
    month BIGINT PRIMARY KEY
);

-- What is remembered of readings that were deleted (past.rs): their counters, a bit each, 8192 to a row, ...
CREATE TABLE IF NOT EXISTS past_counter (
    device BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    block BIGINT NOT NULL,
    count BIGINT NOT NULL,           -- of the bits that are set
    bits {blob} NOT NULL,
    PRIMARY KEY (device, epoch, block)
);
-- ... and what each outbox had heard.
CREATE TABLE IF NOT EXISTS past_outbox (
    device BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    outbox BIGINT NOT NULL,
    highest BIGINT NOT NULL,
    first_id BIGINT NOT NULL,
    PRIMARY KEY (device, epoch, outbox)
);

CREATE TABLE IF NOT EXISTS refusal (
    number {id},
    received_ms BIGINT NOT NULL,
    stored_ms BIGINT NOT NULL,
    gateway TEXT NOT NULL,
    reason TEXT NOT NULL,
    device BIGINT,
    outbox BIGINT NOT NULL,
    outbox_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    bytes {blob} NOT NULL,
    UNIQUE (outbox, outbox_id, position)
);

CREATE INDEX IF NOT EXISTS refusal_by_reason ON refusal (reason);
-- The log keeps so many of each gateway (serve.rs).
CREATE INDEX IF NOT EXISTS refusal_by_gateway ON refusal (gateway, number);

-- How many were ever refused, by reason: the page shows it every second, and counting a million rows takes as long.
CREATE TABLE IF NOT EXISTS refusal_count (
    reason TEXT PRIMARY KEY,
    count BIGINT NOT NULL
);
-- A database from before this table.
INSERT INTO refusal_count (reason, count)
    SELECT reason, COUNT(*) FROM refusal WHERE NOT EXISTS (SELECT 1 FROM refusal_count) GROUP BY reason;

CREATE TABLE IF NOT EXISTS alarm (
    number {id},
    device BIGINT NOT NULL,
    raised_ms BIGINT NOT NULL,
    cleared_ms BIGINT,
    threshold_mm_per_hour DOUBLE PRECISION NOT NULL,
    peak_mm_per_hour DOUBLE PRECISION NOT NULL,
    epoch BIGINT NOT NULL DEFAULT 0, -- key epoch and counter of the reading that changed it last
    counter BIGINT NOT NULL DEFAULT -1,
    level TEXT NOT NULL DEFAULT 'alarm',
    rank BIGINT NOT NULL DEFAULT 0,  -- of the level; 0 is the mildest
    window_ms BIGINT NOT NULL DEFAULT 600000 -- over which the rain of threshold and peak fell
);
-- How hard it rains at each device, as the alarm's judgement last found it.
CREATE TABLE IF NOT EXISTS rain (
    device BIGINT PRIMARY KEY,
    mm_per_hour DOUBLE PRECISION NOT NULL,
    time_ms BIGINT NOT NULL
);

-- One open alarm for a device and level, whichever server raises it.
CREATE UNIQUE INDEX IF NOT EXISTS alarm_open_level ON alarm (device, level) WHERE cleared_ms IS NULL;

-- What people are told of (notify.rs), and whether somebody has taken note.
CREATE TABLE IF NOT EXISTS notice (
    number {id},
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    rank BIGINT NOT NULL,
    place TEXT NOT NULL,
    headline TEXT NOT NULL,
    detail TEXT NOT NULL,
    since_ms BIGINT NOT NULL,
    raised_ms BIGINT NOT NULL,
    ended_ms BIGINT,
    acknowledged_ms BIGINT
);
CREATE UNIQUE INDEX IF NOT EXISTS notice_open ON notice (key) WHERE ended_ms IS NULL;

-- Messages that were not taken yet, one for each channel.
CREATE TABLE IF NOT EXISTS message (
    number {id},
    notice BIGINT NOT NULL REFERENCES notice (number),
    part TEXT NOT NULL,              -- begin or end
    channel TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    next_ms BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS message_by_notice ON message (notice, channel, number);

-- By which programs fetch readings (token.rs).
CREATE TABLE IF NOT EXISTS token (
    name TEXT PRIMARY KEY,
    digest {blob} NOT NULL,          -- SHA-256 of the token
    made_ms BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS session (
    token {blob} PRIMARY KEY,        -- SHA-256 of the cookie's
    expires_ms BIGINT NOT NULL
);
