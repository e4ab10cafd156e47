.PHONY: report report-all test test-full setup setup-test clean

# Builds everything, runs the experiments on the simulated boards, draws report/index.html.
report: setup
	@.venv/bin/bancada run libraries sensor records; status=$$?; .venv/bin/bancada report && exit $$status

# Every experiment: message sizes of hashes and authenticated encryption too. Some minutes more.
report-all: setup
	@.venv/bin/bancada run libraries sensor records aead hashes; status=$$?; .venv/bin/bancada report && exit $$status

# Every test that an ordinary change must pass.
test: setup-test
	.venv/bin/mypy
	.venv/bin/python -m pytest

# The Monte-Carlo tests of AESAVS whole, for every candidate: about half an hour.
test-full: setup
	.venv/bin/bancada run libraries sensor --full

setup:
	@./setup.sh report

setup-test:
	@./setup.sh test

clean:
	rm -rf report build dist .mypy_cache .pytest_cache
