//! The real-time clock DS3231: its registers 00h to 12h, by its data sheet ("Timekeeping Registers").
//!
//! Time is told to it in nanoseconds of the simulation. Alarms can be written and read back and never go off; the
//! pin INT/SQW gives the square wave of 1 Hz, or stays high.

pub const REGISTERS: usize = 0x13;
pub const TWI_ADDRESS: u8 = 0x68;

const ALARM: usize = 0x07;
const CONTROL: usize = 0x0e;
const STATUS: usize = 0x0f;
const TEMPERATURE: usize = 0x11;

const CONTROL_INTCN: u8 = 1 << 2;
const CONTROL_RATE: u8 = 3 << 3;
const CONTROL_AT_POWER_ON: u8 = 0x1c;
const STATUS_OSF: u8 = 1 << 7;
const STATUS_EN32KHZ: u8 = 1 << 3;
const HOURS_12: u8 = 1 << 6;
const HOURS_PM: u8 = 1 << 5;
const MONTH_CENTURY: u8 = 1 << 7;

const SECOND_NS: u64 = 1_000_000_000;
const DAY_S: i64 = 86_400;
/// 2000-01-01 in unix time.
const EPOCH_2000_S: i64 = 946_684_800;

pub struct Ds3231 {
    /// The rest of the registers; the time's are made when they are read.
    registers: [u8; REGISTERS],
    pointer: usize,
    /// The clock read `set_to_s` (unix seconds) when the simulation's time was `set_at_ns`.
    set_to_s: i64,
    set_at_ns: u64,
    /// How far into its second it was then.
    phase_ns: u64,
    drift_ppm: f64,
    twelve_hours: bool,
    /// The user decides which day is 1; these many days are added to Monday's being 1.
    weekday_offset: i64,
    /// Time's registers as they were at the START condition: the data sheet's "user buffers".
    buffer: [u8; 7],
    /// What has been written of a new time since the START condition: on the way it need not be a date that exists.
    written: Option<[u8; 7]>,
}

impl Ds3231 {
    pub fn new(unix_s: i64, phase_ns: u64, drift_ppm: f64, oscillator_stopped: bool, temperature_c: f64) -> Ds3231 {
        let mut clock = Ds3231 {
            registers: [0; REGISTERS],
            pointer: 0,
            set_to_s: unix_s,
            set_at_ns: 0,
            phase_ns,
            drift_ppm,
            twelve_hours: false,
            weekday_offset: 0,
            buffer: [0; 7],
            written: None,
        };
        clock.registers[CONTROL] = CONTROL_AT_POWER_ON;
        // Where the sensor's firmware notes when its clock was set (link/firmware/core/ds3231.c): now, if it is set.
        if !oscillator_stopped {
            clock.registers[ALARM..ALARM + 4].copy_from_slice(&(unix_s as u32).to_be_bytes());
        }
        clock.registers[STATUS] = STATUS_EN32KHZ | if oscillator_stopped { STATUS_OSF } else { 0 };
        clock.set_temperature(temperature_c);
        clock
    }

    /// In quarters of a degree, two's complement, left-aligned in two bytes.
    fn set_temperature(&mut self, celsius: f64) {
        let quarters = (celsius * 4.0).round().clamp(-512.0, 511.0) as i16;
        self.registers[TEMPERATURE..].copy_from_slice(&(quarters << 6).to_be_bytes());
    }

    /// The clock's own nanoseconds since it was set: its crystal is `drift_ppm` fast.
    fn own_elapsed_ns(&self, now_ns: u64) -> u64 {
        let elapsed = now_ns.saturating_sub(self.set_at_ns) as f64;
        (elapsed * (1.0 + self.drift_ppm * 1e-6)) as u64 + self.phase_ns
    }

    pub fn unix_s(&self, now_ns: u64) -> i64 {
        self.set_to_s + (self.own_elapsed_ns(now_ns) / SECOND_NS) as i64
    }

    fn gives_one_hertz(&self) -> bool {
        self.registers[CONTROL] & (CONTROL_INTCN | CONTROL_RATE) == 0
    }

    /// The pin INT/SQW: low in the first half of each second, so that it falls when the seconds change.
    pub fn square_wave(&self, now_ns: u64) -> bool {
        !self.gives_one_hertz() || self.own_elapsed_ns(now_ns) % SECOND_NS >= SECOND_NS / 2
    }

    /// When the pin changes next.
    pub fn next_edge_ns(&self, now_ns: u64) -> Option<u64> {
        if !self.gives_one_hertz() {
            return None;
        }
        let half = SECOND_NS / 2;
        let next_own_ns = (self.own_elapsed_ns(now_ns) / half + 1) * half;
        let from_set_ns = ((next_own_ns - self.phase_ns) as f64 / (1.0 + self.drift_ppm * 1e-6)).ceil() as u64;
        Some((self.set_at_ns + from_set_ns).max(now_ns + 1))
    }

    /// A START condition with the clock's address: the time is copied for reading.
    pub fn start(&mut self, now_ns: u64) {
        self.buffer = self.encode_time(self.unix_s(now_ns));
        self.written = None;
    }

    pub fn set_pointer(&mut self, register: u8) {
        self.pointer = usize::from(register) % REGISTERS;
    }

    pub fn read(&mut self, now_ns: u64) -> u8 {
        if self.pointer == 0 {
            self.buffer = self.encode_time(self.unix_s(now_ns));
        }
        let value = match self.buffer.get(self.pointer) {
            Some(&value) => value,
            None => self.registers[self.pointer],
        };
        self.pointer = (self.pointer + 1) % REGISTERS;
        value
    }

    pub fn write(&mut self, now_ns: u64, value: u8) {
        match self.pointer {
            0..=6 => self.write_time(now_ns, value),
            // OSF and the alarm flags can only be cleared; BSY is the clock's.
            STATUS => {
                let kept = value & self.registers[STATUS] & 0x83;
                self.registers[STATUS] = kept | value & STATUS_EN32KHZ;
            }
            TEMPERATURE.. => {}
            other => self.registers[other] = value,
        }
        self.pointer = (self.pointer + 1) % REGISTERS;
    }

    fn write_time(&mut self, now_ns: u64, value: u8) {
        let mut time = self.written.unwrap_or_else(|| self.encode_time(self.unix_s(now_ns)));
        time[self.pointer] = value;
        self.written = Some(time);
        if self.pointer == 2 {
            self.twelve_hours = value & HOURS_12 != 0;
        }
        let second_begins = self.pointer == 0; // "the countdown chain is reset"
        let into_second_ns = self.own_elapsed_ns(now_ns) % SECOND_NS;
        self.set_to_s = decode_time(&time);
        self.weekday_offset = i64::from(time[3]) - 1 - (self.set_to_s.div_euclid(DAY_S) + 3).rem_euclid(7);
        self.set_at_ns = now_ns;
        self.phase_ns = if second_begins { 0 } else { into_second_ns };
    }

    fn encode_time(&self, unix_s: i64) -> [u8; 7] {
        let days = unix_s.div_euclid(DAY_S);
        let second_of_day = unix_s.rem_euclid(DAY_S);
        let (year, month, day) = civil_from_days(days);
        let hour = (second_of_day / 3600) as u8;
        let hours = if self.twelve_hours {
            let pm = if hour >= 12 { HOURS_PM } else { 0 };
            HOURS_12 | pm | to_bcd((hour + 11) % 12 + 1)
        } else {
            to_bcd(hour)
        };
        let century = if year >= 2100 { MONTH_CENTURY } else { 0 };
        [
            to_bcd((second_of_day % 60) as u8),
            to_bcd((second_of_day / 60 % 60) as u8),
            hours,
            ((days + 3 + self.weekday_offset).rem_euclid(7) + 1) as u8, // 1970-01-01 was a Thursday
            to_bcd(day),
            century | to_bcd(month),
            to_bcd((year % 100) as u8),
        ]
    }
}

fn decode_time(registers: &[u8; 7]) -> i64 {
    let hours = registers[2];
    let hour = if hours & HOURS_12 != 0 {
        from_bcd(hours & 0x1f) % 12 + if hours & HOURS_PM != 0 { 12 } else { 0 }
    } else {
        from_bcd(hours & 0x3f)
    };
    let century = if registers[5] & MONTH_CENTURY != 0 { 100 } else { 0 };
    let year = 2000 + century + from_bcd(registers[6]);
    let days = days_from_civil(year, from_bcd(registers[5] & 0x1f), from_bcd(registers[4] & 0x3f));
    days * DAY_S + hour * 3600 + from_bcd(registers[1] & 0x7f) * 60 + from_bcd(registers[0] & 0x7f)
}

fn to_bcd(value: u8) -> u8 {
    ((value / 10) << 4) | (value % 10)
}

fn from_bcd(value: u8) -> i64 {
    i64::from(value >> 4) * 10 + i64::from(value & 15)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The clock's range is 2000 to 2199: counting is quick enough, and plain.
fn civil_from_days(days: i64) -> (i64, u8, u8) {
    let mut left = days - EPOCH_2000_S / DAY_S;
    let mut year = 2000;
    while left >= 365 + i64::from(is_leap(year)) {
        left -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    while month < 12 && left >= days_in_month(year, month) {
        left -= days_in_month(year, month);
        month += 1;
    }
    (year, month as u8, (left + 1) as u8)
}

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let years: i64 = (2000..year).map(|each| 365 + i64::from(is_leap(each))).sum();
    let months: i64 = (1..month).map(|each| days_in_month(year, each)).sum();
    EPOCH_2000_S / DAY_S + years + months + day - 1
}
