import { z } from 'zod'
import { validation } from './messages.ts'

// Line breaks and tabs belong in a description; other control characters (NUL above all, which PostgreSQL cannot store) do not.
const hasControlCharacter = (text: string): boolean =>
  // A lone surrogate is not text: no encoding of it survives the way to the database.
  !text.isWellFormed() || /[^\P{Cc}\n\r\t]/u.test(text)

/** Free text typed by a person, at most `maximum` characters, trimmed. */
export const textSchema = (maximum = 500, tooLong: string = validation.textMaximum) =>
  z
    .string()
    .trim()
    .max(maximum, tooLong)
    .refine((text) => !hasControlCharacter(text), validation.textCharacters)
