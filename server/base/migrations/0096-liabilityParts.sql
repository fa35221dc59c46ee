-- Files of version 2 say in how many leaves each investor is (docs/liabilities.md).
ALTER TABLE liability_trees DROP CONSTRAINT liability_trees_are_files, ADD CONSTRAINT liability_trees_are_files CHECK (file ~
  '^\{\n  "version": (1|2),\n  "day": "\d{4}-\d\d-\d\d",\n  "at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",\n  "root": "[0-9a-f]{64}",\n  "total": "(0|[1-9]\d{0,18})",\n  "leaves": [1-9]\d{0,9},(\n  "parts": [248],)?\n  "coins": "-?\d{1,19}",\n  "loans": "(0|[1-9]\d{0,18})"\n\}\n$'
  AND (file ~ '\n  "version": 2,') = (file ~ '\n  "parts": ')
  AND substr(file, 29, 10) = to_char(day, 'YYYY-MM-DD')) NOT VALID;
COMMENT ON TABLE liability_leaves IS 'Cents owed to each investor with money on a day. A day is deleted after 30 days; no row is changed.';
COMMENT ON COLUMN liability_leaves.place IS 'In files of version 1 the place of the leaf, from the left. In version 2 a number that leads to the places of the parts.';
