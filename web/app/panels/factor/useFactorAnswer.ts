import type { FactorAnswer } from '@pool/contract/accounts/factors'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { passkeyAnswer } from '../../api/accounts/factors.ts'
import { messageOf } from '../../api/http/errors.ts'
import { t } from '../../i18n/factors.ts'

/** A way to prove a second factor. */
export type Way = FactorAnswer['kind']

type FactorQuestion = {
  /** The kinds of factors that the user has. */
  readonly kinds: readonly string[]
  /** Options for a passkey. */
  readonly options: () => Promise<unknown>
  readonly send: (answer: FactorAnswer) => Promise<unknown>
}

const isWay = (kind: string): kind is Way => kind === 'TOTP' || kind === 'PASSKEY'

/** The answer to a question for a second factor: its way, its code and its outcome. */
export const useFactorAnswer = ({ kinds, options, send }: FactorQuestion) => {
  const ways: readonly Way[] = [...kinds.filter(isWay).toReversed(), 'RECOVERY_CODE']
  const [way, setWay] = useState<Way>(ways[0] ?? 'RECOVERY_CODE')
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: async () =>
      send(way === 'PASSKEY' ? await passkeyAnswer(await options()) : { kind: way, code }),
    // A code works once, so the field is ready for the next one.
    onError: () => setCode(''),
  })
  return {
    way,
    others: ways.filter((each) => each !== way),
    code,
    fault,
    busy: sending.isPending,
    error: sending.isError ? messageOf(sending.error, t('failed')) : null,
    choose: (next: Way) => {
      sending.reset()
      setCode('')
      setFault(null)
      setWay(next)
    },
    type: (next: string) => {
      setFault(null)
      setCode(next)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (sending.isPending) return
      if (way !== 'PASSKEY' && code.trim() === '') setFault(t('ask.codeNeeded'))
      else sending.mutate()
    },
  }
}
export type FactorAnswering = ReturnType<typeof useFactorAnswer>
