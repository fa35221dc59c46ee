/**
 * The rules of typed fields, each with its sentence (docs/product.md 11.1). Forms and calls share
 * them.
 */
import { z } from 'zod'
import { hasWholeCents, MAXIMUM_AMOUNT, MINIMUM_WITHDRAWAL } from './money.ts'
import * as validation from './validation.ts'

// Descriptions may hold line breaks and tabs. PostgreSQL cannot store NUL.
const hasControlCharacter = (text: string): boolean =>
  // A lone surrogate has no encoding.
  !text.isWellFormed() || /[^\P{Cc}\n\r\t]|[\u2028\u2029]/u.test(text)

/**
 * Invisible characters and those that turn the text around let one name pass for another. Unicode's
 * list lacks four of them.
 */
const INVISIBLE =
  /(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu
/** Words of these scripts need joiners between letters. */
const JOINED = `[${[
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`
/** Emoji are joined too, as in a family of four. */
const EMOJI = '\\p{Extended_Pictographic}'
const IDLE_JOINER = new RegExp(
  `(?!(?<=${JOINED})[\\u200c\\u200d]${JOINED}|(?<=[${EMOJI}\\p{Emoji_Modifier}\\ufe0f])\\u200d${EMOJI})[\\u200c\\u200d]`,
  'gu',
)
/** Han and Mongolian letters, emoji and keycaps have variants. */
const IDLE_VARIATION = new RegExp(
  `(?<![\\p{Script=Han}\\p{Script=Mongolian}${EMOJI}])\\p{Variation_Selector}(?!\\u20e3)`,
  'gu',
)

/** Removes the invisible characters of a text. */
export const withoutInvisible = (text: string): string =>
  text.replace(INVISIBLE, '').replace(IDLE_VARIATION, '').replace(IDLE_JOINER, '')

/** Most characters of a free text. */
export const LONGEST_TEXT = 500

/** Free text of at most `maximum` characters, trimmed and without invisible characters. */
export const textSchema = (maximum = LONGEST_TEXT, tooLong: string = validation.textMaximum) =>
  z
    .string()
    .overwrite(withoutInvisible)
    .trim()
    .max(maximum, tooLong)
    .refine((text) => !hasControlCharacter(text), validation.textCharacters)

const required = (message: string) => z.string({ error: () => message }).min(1, message)

/** Sorting a long row of accents takes the square of its length. */
const LONGEST_UNIFIED = 1_000

/**
 * One form of what people see as one text (NFKC): phones write `é` as one character, other
 * keyboards as two or in full width. Spaces of any kind become plain ones.
 */
export const unified = (text: string): string =>
  text.length > LONGEST_UNIFIED ? text : text.normalize('NFKC').replace(/\p{Zs}/gu, ' ')

export const emailSchema = required(validation.emailRequired)
  .overwrite((typed) => withoutInvisible(unified(typed)))
  .trim()
  .toLowerCase()
  .max(254, validation.emailInvalid)
  .pipe(z.email(validation.emailInvalid))

/** docs/product.md 13. */
export const MINIMUM_PASSWORD_LENGTH = 6
/** Leaves a password as typed. Hashes and comparisons take it {@link unified}. */
export const passwordSchema = required(validation.passwordRequired)
  .min(MINIMUM_PASSWORD_LENGTH, validation.passwordMinimum)
  .max(256, validation.passwordMaximum)

/** Refuses invisible characters: a reader of a name must be able to type it. */
const isVisible = (name: string): boolean =>
  !/\p{Cc}/u.test(name) && !hasControlCharacter(name) && withoutInvisible(name) === name

const nameSchema = (message: string) =>
  required(message)
    .trim()
    .min(1, message)
    .max(100, validation.nameMaximum)
    .refine(isVisible, validation.nameCharacters)
export const firstNameSchema = nameSchema(validation.firstNameRequired)
export const lastNameSchema = nameSchema(validation.lastNameRequired)

/** A country's code of two letters (ISO 3166). */
export const countrySchema = required(validation.countryInvalid)
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, validation.countryInvalid)

/** A field of the wallet dialog. All its fields share one sentence (docs/product.md 11.1). */
export const filledSchema = z
  .string({ error: () => validation.fillAllFields })
  .pipe(textSchema(200).min(1, validation.fillAllFields))

/** An amount to move, in dollars. */
export const amountSchema = z
  .number({
    error: (issue) =>
      issue.input === undefined ? validation.amountRequired : validation.amountNumber,
  })
  .positive(validation.amountPositive)
  .max(MAXIMUM_AMOUNT, validation.amountMaximum)
  .refine(hasWholeCents, validation.amountDecimals)

/** An amount to withdraw, in dollars, at least $10.00. */
export const withdrawalAmountSchema = amountSchema.min(
  MINIMUM_WITHDRAWAL,
  validation.withdrawalMinimum,
)

/** A duration in whole days. The plans on offer decide which ones are valid (`planFor`). */
export const durationDaysSchema = z
  .number({
    error: (issue) =>
      issue.input === undefined ? validation.durationRequired : validation.durationInvalid,
  })
  .int(validation.durationInvalid)
  .positive(validation.durationInvalid)
