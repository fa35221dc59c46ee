import { expect, test } from 'vitest'
import { bytesTable, operationsTable, upkeepTable } from './scalingTables.ts'

test('a row for each kind of operation', () => {
  expect(
    operationsTable([
      { name: 'deposit confirmed: log, bytes', value: 4_604.4 },
      { name: 'investment opened: log, bytes', value: 2_099 },
      { name: 'memory of PostgreSQL after it, MB', value: 300 },
    ]),
  ).toBe(`\
| operation         | log, bytes |
| ----------------- | ---------- |
| deposit confirmed | 4,600      |
| investment opened | 2,100      |`)
})

test('a column for each number of movements', () => {
  expect(
    upkeepTable([
      { name: 'VACUUM, s, at 1000', value: 1 },
      { name: 'VACUUM, s, at 2000', value: 2 },
      { name: 'backup, s, at 1000', value: 3 },
      { name: 'bytes of movements per movement, at 1000', value: 4, detail: true },
    ]),
  ).toBe(`\
| at movements | 1,000 | 2,000 |
| ------------ | ----- | ----- |
| VACUUM, s    | 1     | 2     |
| backup, s    | 3     |       |`)
})

test('bytes are extrapolated from tables grown in use', () => {
  const bytes = (relation: string, at: number, value: number) => ({
    name: `bytes of ${relation} per movement, at ${at}`,
    value,
    detail: true as const,
  })
  expect(
    bytesTable([
      bytes('movements', 1_000, 100),
      bytes('movements, its index movements_pkey,', 1_000, 60),
      bytes('accounts', 1_000, 1),
      bytes('movements', 9_000, 100),
      bytes('movements, its index movements_pkey,', 9_000, 50),
      bytes('accounts', 9_000, 1),
    ]),
  ).toBe(`\
| table     | index          | bytes per movement, 1,000 grown | 9,000 filled | GB at 10⁸ movements |
| --------- | -------------- | ------------------------------- | ------------ | ------------------- |
| movements |                | 100                             | 100          | 10                  |
| movements | movements_pkey | 60                              | 50           | 6                   |
| others    |                | 1                               |              | 0.1                 |
| all       |                | 161                             | 151          | 16.1                |`)
})
