//! Where sensors stand: for the page's map, one at a time there, or all by the command `places`.

use std::path::PathBuf;

use clap::Args;
use link_language::say;

use crate::db::{self, Cells, Db, Value};
use crate::error::{Result, UserError};
use crate::site::{read, Site, DEFAULT_FOLDER};

const HEADER: &str = "device,latitude,longitude,name";

/// Shows where the sensors stand and what they are called, or sets it from a table.
///
/// The table is what the command shows: a line for each sensor with its number, latitude and longitude in degrees
/// (south and west negative) and its name. Sensors that are not in the table stay as they are.
///
/// Example: bancada link places --site farm --set places.csv
#[derive(Args)]
pub struct PlacesArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The file with the table
    #[arg(long)]
    set: Option<PathBuf>,
}

/// In degrees, WGS 84.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub latitude: f64,
    pub longitude: f64,
}

impl Place {
    /// From what a person wrote: the decimal sign is a point or a comma.
    pub fn parse(latitude: &str, longitude: &str) -> Option<Place> {
        let number = |text: &str| text.trim().replace(',', ".").parse::<f64>().ok();
        let (latitude, longitude) = (number(latitude)?, number(longitude)?);
        let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        is_on_earth.then_some(Place { latitude, longitude })
    }
}

/// Sets or, with `None`, forgets the place of a sensor.
pub fn set(db: &mut Db, device: i64, place: Option<Place>) -> db::Result<()> {
    match place {
        None => db.execute("DELETE FROM place WHERE device = $1", &[Value::Int(device)])?,
        Some(place) => db.execute(
            "INSERT INTO place (device, latitude, longitude) VALUES ($1, $2, $3) ON CONFLICT (device) \
             DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude",
            &[
                Value::Int(device),
                Value::Real(place.latitude),
                Value::Real(place.longitude),
            ],
        )?,
    };
    Ok(())
}

pub fn set_name(db: &mut Db, device: i64, name: &str) -> db::Result<bool> {
    let values = [Value::Text(name.into()), Value::Int(device)];
    Ok(db.execute("UPDATE device SET name = $1 WHERE id = $2", &values)? == 1)
}

/// What is wrong with the name of a sensor, if anything.
pub fn check_name(name: &str) -> std::result::Result<(), &'static str> {
    let fits = !name.trim().is_empty() && name.chars().count() <= 80 && !name.chars().any(char::is_control);
    fits.then_some(()).ok_or("A sensor's name has 1 to 80 letters.")
}

pub fn places(args: &PlacesArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let Some(path) = &args.set else {
        let sql = "SELECT d.id, p.latitude, p.longitude, d.name FROM device d LEFT JOIN place p ON p.device = d.id \
                   ORDER BY d.id";
        println!("{HEADER}");
        for row in db.query(sql, &[])? {
            let real = |at: usize| match row.get(at) {
                Some(Value::Real(value)) => value.to_string(),
                _ => String::new(),
            };
            println!("{},{},{},{}", row.int(0), real(1), real(2), row.text(3));
        }
        return Ok(());
    };
    let text = read(path)?;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim() == HEADER {
            continue;
        }
        let wrong = |what: &str| UserError(format!("{}, line {}: {what}.", path.display(), at + 1));
        lines.push(parse_line(line).map_err(wrong)?);
    }
    db.transaction(|db| {
        for (device, place, name) in &lines {
            let there = match name {
                Some(name) => set_name(db, *device, name)?,
                None => db
                    .query_one("SELECT 1 FROM device WHERE id = $1", &[Value::Int(*device)])?
                    .is_some(),
            };
            if !there {
                return Err(UserError(format!("{}: there is no sensor {device}.", path.display())));
            }
            set(db, *device, *place)?;
        }
        Ok(())
    })?;
    say!("Set the places of {} sensors.", lines.len());
    Ok(())
}

type Line = (i64, Option<Place>, Option<String>);

fn parse_line(line: &str) -> std::result::Result<Line, &'static str> {
    let cells: Vec<&str> = line.splitn(4, ',').collect();
    let [device, latitude, longitude, rest @ ..] = cells.as_slice() else {
        return Err("a number, a latitude and a longitude, with commas between");
    };
    let device = device.trim().parse().map_err(|_| "the sensor's number is no number")?;
    let place = match (latitude.trim(), longitude.trim()) {
        ("", "") => None,
        _ => Some(Place::parse(latitude, longitude).ok_or("a latitude from -90 to 90, a longitude from -180 to 180")?),
    };
    let name = rest.first().map(|name| name.trim()).filter(|name| !name.is_empty());
    if let Some(name) = name {
        check_name(name)?;
    }
    Ok((device, place, name.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_read_with_a_point_or_a_comma() {
        let place = Place {
            latitude: -8.05,
            longitude: -34.9,
        };
        assert_eq!(Place::parse("-8.05", " -34.9 "), Some(place));
        assert_eq!(Place::parse("-8,05", "-34,9"), Some(place));
        for (latitude, longitude) in [
            ("90.1", "0"),
            ("0", "181"),
            ("", "0"),
            ("NaN", "0"),
            ("inf", "0"),
            ("8°", "0"),
        ] {
            assert_eq!(Place::parse(latitude, longitude), None, "{latitude} {longitude}");
        }
    }

    #[test]
    fn a_line_has_a_name_if_it_says_so() {
        assert_eq!(
            parse_line("7,-8.05,-34.9,Ribeira, ponte"),
            Ok((7, Place::parse("-8.05", "-34.9"), Some("Ribeira, ponte".into())))
        );
        assert_eq!(parse_line("7,,"), Ok((7, None, None)));
        assert!(parse_line("7").is_err() && parse_line("x,1,1").is_err() && parse_line("7,91,0").is_err());
    }
}
