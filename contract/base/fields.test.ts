import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstNameSchema, lastNameSchema, textSchema, withoutInvisible } from './fields.ts'
import * as validation from './validation.ts'

const text = textSchema()
const from = (start: number, end: number): string[] =>
  Array.from({ length: end - start + 1 }, (_, n) => String.fromCodePoint(start + n))

const bidirectional = [
  '\u061c',
  '\u200e',
  '\u200f',
  ...from(0x202a, 0x202e),
  ...from(0x2066, 0x2069),
]
const invisible = [
  ...bidirectional,
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u1160',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u2064',
  '\u206a',
  '\u2800',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\ufffb',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e0100}',
]
const controls = [...from(0, 0x1f), ...from(0x7f, 0x9f), '\u2028', '\u2029', '\ud800']

test.each(
  invisible.map((character) => [
    character.codePointAt(0)?.toString(16).padStart(4, '0') ?? '',
    character,
  ]),
)('U+%s is refused in names and removed from texts', (_, character) => {
  // `trim` removes spaces and the byte order mark at the ends.
  for (const name of [firstNameSchema, lastNameSchema])
    for (const typed of [
      `Ad${character}a`,
      `${character}Ada`,
      `Ada${character}`,
      `A ${character} B`,
      `Ada${character}${character}`,
    ])
      if (typed.trim().includes(character))
        expect(name.safeParse(typed).error?.issues[0]?.message).toBe(validation.nameCharacters)
  expect(text.parse(`Ad${character}a ${character}`)).toBe('Ada')
})

test.each(
  controls.map((character) => [character.charCodeAt(0).toString(16).padStart(4, '0'), character]),
)('U+%s is refused in names', (_, character) => {
  expect(firstNameSchema.safeParse(`Ad${character}a`).error?.issues[0]?.message).toBe(
    validation.nameCharacters,
  )
  const stays = ['\t', '\n', '\r'].includes(character)
  expect(text.safeParse(`Ad${character}a`).error?.issues[0]?.message).toBe(
    stays ? undefined : validation.textCharacters,
  )
})

test('a name of invisible characters is refused', () => {
  for (const character of invisible)
    expect(firstNameSchema.safeParse(character.repeat(3)).success).toBe(false)
})

test.each([
  'Ada',
  'José María Ñúñez',
  "O'Neill-Żółć",
  'João d’Ávila',
  'علی‌رضا',
  'עדה לאבלייס',
  'क्‍षमा',
  'ශ්‍රී',
  '葛󠄀城',
  '이영희',
  'Ngô Bảo Châu',
])('%s passes unchanged as a name and as a text', (name) => {
  expect(firstNameSchema.parse(name)).toBe(name)
  expect(text.parse(name)).toBe(name)
})

test.each(['👩‍👩‍👧‍👦', '❤️', '👩🏽‍🚀', '5️⃣', '🏳️‍🌈', 'two\nlines\tand more'])(
  '%s passes unchanged in a text',
  (typed) => {
    expect(text.parse(typed)).toBe(typed)
  },
)

/** Decides independently of the rule which characters a text may keep. */
const isSeen = (
  character: string,
  before: string | undefined,
  after: string | undefined,
): boolean => {
  if (bidirectional.includes(character)) return false
  if (character === '\u200c' || character === '\u200d')
    return /[^\p{ASCII}]/u.test(before ?? '') && /[^\p{ASCII}]/u.test(after ?? '')
  return (
    /\p{Variation_Selector}/u.test(character) ||
    !/\p{Default_Ignorable_Code_Point}/u.test(character)
  )
}
const typing = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...invisible, 'a', 'é', ' ', 'ع', 'क', '्', '葛', '👩', '1', '\u0301'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

test('texts keep visible characters and lose the others', () => {
  fc.assert(
    fc.property(typing, (typed) => {
      const left = withoutInvisible(typed)
      const characters = [...left]
      expect(
        characters.filter(
          (character, i) => !isSeen(character, characters[i - 1], characters[i + 1]),
        ),
      ).toEqual([])
      expect(withoutInvisible(left)).toBe(left)
      const seen = (each: string) =>
        each.replace(/\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu, '')
      expect(seen(left)).toBe(seen(typed))
      const name = typed.trim()
      const isName =
        name !== '' &&
        name.length <= 100 &&
        withoutInvisible(name) === name &&
        !/\p{Cc}|[\u2028\u2029]/u.test(name)
      expect(firstNameSchema.safeParse(typed).success).toBe(isName)
    }),
    { numRuns: 2_000 },
  )
})
