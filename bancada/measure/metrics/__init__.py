"""The laboratory's metrics, one file each: `METRIC` of every module here. bancada.measure.read_metrics finds them."""
