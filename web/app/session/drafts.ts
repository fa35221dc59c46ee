/**
 * Drafts: the values of an open dialog when a session ended by itself. They wait in this tab for
 * the same user and open the dialog again. Passwords are never among them.
 */
import { useEffect, useRef, useState } from 'react'
import { asRecord, asText } from '../api/http/reading.ts'
import { storedInTab } from '../storage.ts'

const KEY = 'draft'
/** The time in milliseconds after which a draft is dropped. */
const KEPT_FOR_MS = 30 * 60_000

type Values = Readonly<Record<string, unknown>>
type Draft = {
  readonly dialog: string
  readonly userId: string
  readonly at: number
  readonly values: Values
}

/** The open forms: each reads its values, or null while nothing was typed. */
const forms = new Map<string, () => Values | null>()

/** Keeps the values of the open form, if something was typed. */
export const keepDraft = (userId: string): void => {
  for (const [dialog, read] of forms) {
    const values = read()
    if (!values) continue
    const draft: Draft = { dialog, userId, at: Date.now(), values }
    storedInTab.write(KEY, JSON.stringify(draft))
  }
}

export const dropDraft = (): void => storedInTab.remove(KEY)

const readDraft = (userId: string): Draft | null => {
  try {
    const {
      dialog,
      userId: owner,
      at,
      values,
    } = asRecord(JSON.parse(storedInTab.read(KEY) ?? 'null')) ?? {}
    const isFresh = typeof at === 'number' && Date.now() - at < KEPT_FOR_MS
    if (owner !== userId || !isFresh) return null
    return { dialog: asText(dialog) ?? '', userId, at, values: asRecord(values) ?? {} }
  } catch {
    return null
  }
}

/** The dialog with a draft of this user, or null. */
export const draftedDialog = (userId: string): string | null => readDraft(userId)?.dialog ?? null

const takeDraft = (dialog: string, userId: string): Values => {
  const draft = readDraft(userId)
  if (draft?.dialog !== dialog) return {}
  dropDraft()
  return draft.values
}

/**
 * The first values of a dialog's form: those of a draft, else `empty`. `keep` takes the way to its
 * present values.
 */
export const useDraft = <Form extends Values>(dialog: string, userId: string, empty: Form) => {
  const [initial] = useState<Form>(() => ({ ...empty, ...takeDraft(dialog, userId) }))
  const read = useRef<() => Form>(() => initial)
  const untouched = useRef(JSON.stringify(empty))
  useEffect(() => {
    forms.set(dialog, () => {
      const values = read.current()
      return JSON.stringify(values) === untouched.current ? null : values
    })
    return () => void forms.delete(dialog)
  }, [dialog])
  return {
    initial,
    keep: (now: () => Form) => {
      read.current = now
    },
  }
}
