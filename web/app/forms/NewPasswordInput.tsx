import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { PasswordOwner } from '@pool/contract/passwords'
import { useRef, useState } from 'react'

type Owner = Omit<PasswordOwner, 'productName'>

/** The judge knows half a megabyte of words, so it is fetched when somebody turns to the field. */
const fetchJudge = () => import('./judgePassword.ts')

/**
 * The sentence for a password that is too easy to guess, else null. Where the judge cannot be
 * fetched, the server still judges.
 */
export const weaknessSaid = async (password: string, owner: Owner): Promise<string | null> =>
  (await fetchJudge().catch(() => null))?.judgePassword(password, owner) ?? null

/** How long, in milliseconds, somebody pauses who has typed what is to be judged. */
const PAUSE = 200

type Props = PasswordInputProps & { readonly owner: () => Owner }

/** The field for a new password: it says while one types why it is too easy to guess. */
export const NewPasswordInput = ({ owner, error, onChange, ...input }: Props) => {
  const [weakness, setWeakness] = useState<string | null>(null)
  const typed = useRef('')
  const judge = useDebouncedCallback(async () => {
    const password = typed.current
    const said = await weaknessSaid(password, owner())
    if (password === typed.current) setWeakness(said)
  }, PAUSE)
  return (
    <PasswordInput
      {...input}
      error={error ?? weakness}
      onFocus={() => void fetchJudge().catch(() => undefined)}
      onChange={(event) => {
        typed.current = event.currentTarget.value
        judge()
        onChange?.(event)
      }}
    />
  )
}
