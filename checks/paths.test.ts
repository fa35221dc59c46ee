import { expect, test } from 'vitest'
import { findAllMissing, findMissing } from './paths.ts'

const repository = {
  paths: new Set([
    'README.md',
    'docs',
    'docs/a.md',
    'server',
    'server/main.ts',
    'server/ledger',
    'server/ledger/sql',
  ]),
  scripts: new Set(['check', 'ledger:check']),
}
const missing = (text: string, path = 'docs/a.md') => findMissing({ path, text }, repository)

test('every path in the prose exists', () => {
  expect(findAllMissing()).toEqual([])
})

test.each([
  ['a file', 'See `server/gone.ts`.', 'server/gone.ts'],
  ['a folder', 'See `server/gone/`.', 'server/gone/'],
  ['a bare name', 'See `gone.ts`.', 'gone.ts'],
  ['a file of a folder that is gone', 'See `gone/main.ts`.', 'gone/main.ts'],
  ['the target of a link', '[there](../gone.md#here)', '../gone.md'],
  ['a picture', '![a](screenshots/gone.png)', 'screenshots/gone.png'],
  ['a file in a diagram', '```\na ──► http/gone.ts\n```', 'http/gone.ts'],
])('%s that does not exist is found', (_, text, named) => {
  expect(missing(text)).toEqual([`docs/a.md names ${named}, which does not exist`])
})

test('a missing npm script in a code block is found', () => {
  expect(missing('```sh\nnpm run gone -- x\n```')).toEqual([
    'docs/a.md names npm run gone, which package.json lacks',
  ])
})

test.each([
  ['paths from the root', '`server/main.ts`, `server/ledger/sql/`, `README.md`'],
  ['a bare name of any folder', '`main.ts`'],
  [
    'links from the folder of the file',
    '[read](../README.md#start), [this](a.md), [here](#below), [there](https://example.com/x.md)',
  ],
  ['short paths in a diagram', '```\nmain.ts → ledger/sql\n```'],
  ['scripts', '`npm run ledger:check`, npm run check'],
  [
    'paths of URLs, placeholders and patterns',
    '`/admin/audit`, `server/NNNN-noun.sql`, `server/<room>/*.sql`, `DATA_DIR/keys`',
  ],
])('%s are accepted in prose', (_, text) => {
  expect(missing(text)).toEqual([])
})
