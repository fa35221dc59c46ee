import { TextInput } from '@mantine/core'
import type { NetworkName } from '@pool/contract/base/networks'
import { MOST_SKIPPED } from '@pool/contract/chain/skips'
import { useState } from 'react'
import { useProposalStep } from '../../../api/agreements/proposals.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/chains.ts'

type Props = {
  readonly network: NetworkName
  /** The block that could not be read when the dialog opened. */
  readonly from: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks to skip blocks that could not be read. A second super admin decides. */
export const SkipDialog = ({ network, from, opened, onClose }: Props) => {
  const [to, setTo] = useState(String(from))
  const ask = useProposalStep(t('skip.failed'))
  return (
    <ReasonDialog
      words={{
        title: t('skip.title', { network }),
        reason: t('skip.reason'),
        missing: t('skip.missing'),
        submit: t('skip.submit'),
        busy: t('skip.busy'),
        failed: t('skip.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          {
            step: 'ask',
            asked: { kind: 'SKIP_BLOCKS', networkName: network, from, to: Number(to), reason },
          },
          { onSuccess: () => done(t('skip.done')) },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('skip.text', { from: String(from) })}</p>
      <TextInput
        label={t('skip.to')}
        description={t('skip.to.text', { most: String(MOST_SKIPPED) })}
        inputMode="numeric"
        autoComplete="off"
        value={to}
        readOnly={ask.isPending}
        onChange={(event) => setTo(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
    </ReasonDialog>
  )
}
