/**
 * Generates hostile and broken requests from the contract's schemas, so a new call is fuzzed too.
 */
import type { Endpoint } from '@pool/contract/base/endpoint'
import fc from 'fast-check'

/** A request as it goes over the wire. Its body is text and need not be JSON. */
export type Attempt = {
  readonly method: Endpoint['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const INJECTIONS = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '"><script>alert(1)</script>',
  '{{7*7}}',
  '../../../../etc/passwd',
  '=HYPERLINK("http://example.com")',
  '\u0000',
  '\ud800',
  '\u202e\u200b\ufeff',
  '%00%ff%c0%ae',
  'Ａｄｍｉｎ',
  '𝟙𝟘',
  '\r\nset-cookie: a=b',
  'constructor',
  '__proto__',
]

const NUMBERS = [
  0,
  -0,
  -1,
  0.001,
  0.005,
  1e-7,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 53 + 2,
  4.35,
  9_999_999_999,
  1_000_000.01,
  2 ** 46 + 0.01,
]

/** Texts that no JSON writer makes, in place of a value. */
const RAW = [
  'NaN',
  'Infinity',
  '1e999',
  '-0',
  '0x10',
  '1_000',
  '01',
  '"\\u0000"',
  'undefined',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `1${'0'.repeat(400)}`,
]

const text = fc.oneof(
  fc.constantFrom(...INJECTIONS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.integer({ min: 1, max: 30_000 }).map((length) => 'a'.repeat(length)),
)
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.double(), fc.maxSafeInteger())
const anything = fc.oneof(
  text,
  number,
  fc.constantFrom(null, true, false, [], {}),
  fc.array(fc.oneof(text, number), { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 6 }),
)

/** Ids of existing rows, so that some requests hit one. */
export type KnownSecrets = { readonly ids: readonly string[]; readonly tokens: readonly string[] }

/** A valid value for a field, by its name. */
const plausible = (name: string, { ids }: KnownSecrets): fc.Arbitrary<unknown> => {
  if (/id$/i.test(name)) return fc.constantFrom(...ids)
  if (/amount$/i.test(name))
    return fc.oneof(
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 200_000 }).map((whole) => whole / 100),
    )
  if (name === 'durationDays') return fc.constantFrom(1, 5, 12, 3)
  if (name === 'networkName' || name === 'network')
    return fc.constantFrom('Bitcoin', 'ethereum', 'SOLANA')
  if (name === 'detail')
    return fc.constantFrom({ firstName: 'A', lastName: 'B', email: 'a@example.com' })
  return fc.oneof(text, number)
}

const entriesOf = (
  names: readonly string[],
  known: KnownSecrets,
): fc.Arbitrary<readonly (readonly [string, string])[]> =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .oneof(
          {
            weight: 6,
            arbitrary: plausible(name, known).map((value) => JSON.stringify(value) ?? 'null'),
          },
          { weight: 3, arbitrary: anything.map((value) => JSON.stringify(value) ?? 'null') },
          { weight: 1, arbitrary: fc.constantFrom(...RAW) },
          // Omitted.
          { weight: 1, arbitrary: fc.constant('') },
        )
        .map((value) => [name, value] as const),
    ),
    fc
      .constantFrom(
        ...names,
        '__proto__',
        'constructor',
        'toString',
        'role',
        'roles',
        'isAdmin',
        'extra',
      )
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(
            fc.constantFrom('{"polluted":true}', '["ADMIN"]', '""'),
            anything.map((value) => JSON.stringify(value) ?? 'null'),
          ),
        ),
      ),
  )

/** An object as text, with repeated names and invalid values. */
const objectOf = (names: readonly string[], known: KnownSecrets): fc.Arbitrary<string> =>
  fc.tuple(entriesOf(names, known), fc.boolean()).map(([entries, more]) => {
    const kept = (more ? entries : entries.slice(0, -1)).filter(([, value]) => value !== '')
    return `{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  })

const namesOf = (schema: Endpoint['payload']): readonly string[] =>
  schema && 'shape' in schema && schema.shape instanceof Object ? Object.keys(schema.shape) : []

const body = (endpoint: Endpoint, known: KnownSecrets): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: objectOf(namesOf(endpoint.payload), known) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        anything.map((value) => JSON.stringify(value) ?? ''),
        fc.constantFrom(...RAW),
        fc.string({ unit: 'binary' }),
      ),
    },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

const CONTENT_TYPES = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'json',
  '',
]

const headers = ({ tokens }: KnownSecrets): fc.Arbitrary<Record<string, string>> =>
  fc
    .record({
      authorization: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...tokens.map((token) => `Bearer ${token}`)) },
        { weight: 1, arbitrary: fc.constantFrom('', 'Bearer', 'Bearer null', 'Basic YTpi') },
      ),
      'content-type': fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
      ),
      'idempotency-key': fc.oneof(fc.constantFrom('', 'same', 'x'.repeat(300)), fc.uuid()),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', "'", '::1'),
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))

const address = ({ path, params, query }: Endpoint, known: KnownSecrets): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(
        ...namesOf(params).map((name) =>
          fc.tuple(
            fc.constant(name),
            fc.oneof(
              fc.constantFrom(...known.ids),
              text.filter((each) => each.length < 150),
              number.map(String),
            ),
          ),
        ),
      ),
      fc.subarray([...namesOf(query), 'limit', '__proto__', 'extra']).chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            fc.tuple(
              fc.constant(name),
              fc.oneof(
                fc.constantFrom(
                  '1',
                  '50',
                  'asc',
                  'PENDING',
                  '2026-01-01',
                  '-1',
                  '1e9',
                  ...INJECTIONS,
                ),
                text.filter((each) => each.length < 500),
              ),
            ),
          ),
        ),
      ),
    )
    .map(([inPath, inQuery]) => {
      const filled = inPath.reduce(
        (url, [name, value]) => url.replace(`{${name}}`, () => encode(value)),
        path,
      )
      return inQuery.length === 0
        ? filled
        : `${filled}?${inQuery.map(([name, value]) => `${name}=${encode(value)}`).join('&')}`
    })

/** Replaces lone surrogates, which cannot be encoded. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

/** All requests that may be sent to a call. */
export const attempts = (endpoint: Endpoint, known: KnownSecrets): fc.Arbitrary<Attempt> =>
  fc
    .record({
      url: address(endpoint, known),
      headers: headers(known),
      body: endpoint.method === 'GET' ? fc.constant(undefined) : body(endpoint, known),
    })
    .map((request) => ({ method: endpoint.method, ...request }))
