import { NativeSelect } from '@mantine/core'
import type { AskedProposal } from '@pool/contract/agreements/proposals'
import { useState } from 'react'
import type { ShownPerson } from '../../../api/accounts/people.ts'
import { useProposalStep, useProposals } from '../../../api/agreements/proposals.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/people.ts'
import { useSessionUser } from '../../../session/store.ts'
import { type Choice, choicesFor } from './choices.ts'
import { nameOf } from './OpenProposals.tsx'

type Props = {
  readonly person: ShownPerson
  readonly roles: readonly string[]
  readonly hasFactor: boolean
  readonly opened: boolean
  readonly onClose: () => void
}

const keyOf = ({ kind, role = '' }: Choice): string => `${kind} ${role}`

/** Asks for a change of a person's access. */
export const ChangeDialog = ({ person, roles, hasFactor, opened, onClose }: Props) => {
  const { data: open = [] } = useProposals(person.id)
  const isOwn = useSessionUser()?.id === person.id
  const choices = choicesFor({
    roles,
    isSuspended: person.isSuspended,
    // Others decide about the own factors.
    hasFactor: hasFactor && !isOwn,
    open,
  })
  const [picked, setPicked] = useState('')
  const chosen = choices.find((choice) => keyOf(choice) === picked) ?? choices[0]
  const ask = useProposalStep(t('changes.failed'))
  return (
    <ReasonDialog
      words={{
        title: t('changes.title'),
        reason: t('changes.reason'),
        missing: t('changes.reason.missing'),
        submit: t('changes.ask'),
        busy: t('changes.asking'),
        failed: t('changes.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          {
            step: 'ask',
            asked: { ...chosen, userId: person.id, reason } as AskedProposal,
          },
          { onSuccess: (outcome) => done(t(`changes.done.${outcome}`)) },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t(chosen?.kind === 'RESET_FACTORS' ? 'changes.text.reset' : 'changes.text')}</p>
      <NativeSelect
        label={t('changes.what')}
        data-autofocus
        value={chosen && keyOf(chosen)}
        data={choices.map((choice) => ({
          value: keyOf(choice),
          label: nameOf({ kind: choice.kind, facts: choice }),
        }))}
        onChange={(event) => setPicked(event.currentTarget.value)}
      />
    </ReasonDialog>
  )
}
