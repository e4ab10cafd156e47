//! What a browser does not know yet. It keeps what it was told, and is told only what changed of it.

use std::collections::HashMap;

use serde_json::{Map, Value};

pub type Fields = Map<String, Value>;

/// One thing with fields.
#[derive(Default)]
pub struct Record(Fields);

impl Record {
    /// The fields that changed or are new, and null for those that are gone.
    pub fn changes(&mut self, now: Fields) -> Option<Fields> {
        let changed = differing(&self.0, &now);
        self.0 = now;
        (!changed.is_empty()).then_some(changed)
    }
}

fn differing(before: &Fields, now: &Fields) -> Fields {
    let gone = before.keys().filter(|name| !now.contains_key(*name));
    let gone = gone.map(|name| (name.clone(), Value::Null));
    let new = now.iter().filter(|(name, value)| before.get(*name) != Some(value));
    gone.chain(new.map(|(name, value)| (name.clone(), value.clone())))
        .collect()
}

/// A list of things, each of which has a field that names it.
#[derive(Default)]
pub struct List {
    order: Vec<Value>,
    known: HashMap<String, Fields>,
}

impl List {
    /// `{"rows": […], "order": […]}`: of each row that is new all fields, of one that changed its name and what
    /// changed; and the names in their order, if that changed. What is not in the order is gone.
    pub fn changes(&mut self, name: &str, now: Vec<Fields>) -> Option<Value> {
        let mut known = HashMap::with_capacity(now.len());
        let (mut rows, mut order) = (Vec::new(), Vec::with_capacity(now.len()));
        for fields in now {
            let own = fields.get(name).cloned().unwrap_or_default();
            let key = own.to_string();
            let mut changed = match self.known.get(&key) {
                None => fields.clone(),
                Some(before) => differing(before, &fields),
            };
            if !changed.is_empty() {
                changed.insert(name.to_owned(), own.clone());
                rows.push(Value::Object(changed));
            }
            order.push(own);
            known.insert(key, fields);
        }
        self.known = known;
        let mut told = Fields::new();
        if !rows.is_empty() {
            told.insert("rows".into(), rows.into());
        }
        if order != self.order {
            told.insert("order".into(), order.clone().into());
            self.order = order;
        }
        (!told.is_empty()).then_some(Value::Object(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn of_a_record_what_changed_is_told() {
        let mut record = Record::default();
        let told = record.changes(fields(json!({"a": 1, "b": 2})));
        assert_eq!(told, Some(fields(json!({"a": 1, "b": 2}))));
        assert_eq!(record.changes(fields(json!({"a": 1, "b": 2}))), None);
        let told = record.changes(fields(json!({"a": 1, "c": 3})));
        assert_eq!(told, Some(fields(json!({"b": null, "c": 3}))));
    }

    #[test]
    fn of_a_list_rows_and_their_order_are_told_when_they_change() {
        let mut list = List::default();
        let row = |id: i64, x: i64| fields(json!({"id": id, "x": x}));
        let told = list.changes("id", vec![row(1, 0), row(2, 0)]);
        assert_eq!(
            told,
            Some(json!({"rows": [{"id": 1, "x": 0}, {"id": 2, "x": 0}], "order": [1, 2]}))
        );
        assert_eq!(list.changes("id", vec![row(1, 0), row(2, 0)]), None);
        let told = list.changes("id", vec![row(1, 0), row(2, 5)]);
        assert_eq!(told, Some(json!({"rows": [{"id": 2, "x": 5}]})));
        assert_eq!(
            list.changes("id", vec![row(2, 5), row(1, 0)]),
            Some(json!({"order": [2, 1]}))
        );
        // What went and comes again is told whole.
        assert_eq!(list.changes("id", vec![row(2, 5)]), Some(json!({"order": [2]})));
        let told = list.changes("id", vec![row(2, 5), row(1, 0)]);
        assert_eq!(told, Some(json!({"rows": [{"id": 1, "x": 0}], "order": [2, 1]})));
    }
}
