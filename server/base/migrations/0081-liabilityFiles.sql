-- The file of a day has its documented form (docs/liabilities.md), so each reader can read it.
ALTER TABLE liability_trees ADD CONSTRAINT liability_trees_are_files CHECK (file ~
  '^\{\n  "version": 1,\n  "day": "\d{4}-\d\d-\d\d",\n  "at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",\n  "root": "[0-9a-f]{64}",\n  "total": "(0|[1-9]\d{0,18})",\n  "leaves": [1-9]\d{0,9},\n  "coins": "-?\d{1,19}",\n  "loans": "(0|[1-9]\d{0,18})"\n\}\n$'
  AND substr(file, 29, 10) = to_char(day, 'YYYY-MM-DD')) NOT VALID;
