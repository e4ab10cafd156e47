//! An outbox at its limit of size.

use super::*;

const BURST_BYTES: usize = 32;

fn burst(received_ms: u64) -> Burst {
    Burst {
        received_ms,
        bytes: vec![0xa5; BURST_BYTES],
    }
}

fn settings(folder: &Path) -> config::Outbox {
    let text = format!(
        "file = {:?}\nmax_mb = 1\nmin_free_mb = 0\nkeep_rows = 1000000\n",
        folder.join("outbox.sqlite")
    );
    toml::from_str(&text).expect("settings")
}

/// Stores bursts, one at a time, until there is no room for one more; how many there are.
fn fill(outbox: &mut Outbox) -> u64 {
    for stored in 0.. {
        match outbox.commit(&[burst(stored)], &[]) {
            Ok(_) => (),
            Err(StoreError::Full(_)) => return stored,
            Err(other) => panic!("{other:?}"),
        }
    }
    unreachable!()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bancada-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Acknowledged rows are kept in case a server forgets them. Where there is no room to keep them, they go at once:
/// without that, a full outbox could remove nothing, and so would stay full for ever.
#[test]
fn a_full_outbox_removes_what_is_acknowledged() {
    let folder = folder("full-outbox");
    let mut outbox = Outbox::open(&settings(&folder)).expect("opened");
    let rows = fill(&mut outbox);
    assert!(rows > 1000, "{rows} rows");
    let half = Range {
        first: 1,
        last: rows / 2,
    };
    let done = outbox.commit(&[], &[half]).expect("removed");
    assert_eq!(done.removed, rows / 2);
    outbox.commit(&[burst(0)], &[]).expect("room for a burst");
    std::fs::remove_dir_all(folder).expect("removed");
}

/// An outbox of a version that kept nothing gets the tables for it, although it is full.
#[test]
fn a_full_outbox_of_an_older_version_is_opened() {
    let folder = folder("full-old-outbox");
    let settings = settings(&folder);
    let outbox = Outbox::open(&settings).expect("opened");
    outbox
        .connection
        .execute_batch("DROP TABLE kept; DROP TABLE asked")
        .expect("dropped");
    let insert = "INSERT INTO burst (received_ms, bytes) VALUES (0, zeroblob(32))";
    let rows = (0..)
        .take_while(|_| outbox.connection.execute(insert, []).is_ok())
        .count() as u64;
    drop(outbox);
    assert_eq!(Outbox::open(&settings).expect("opened again").found.rows, rows);
    std::fs::remove_dir_all(folder).expect("removed");
}
