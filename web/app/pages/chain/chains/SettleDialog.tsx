import type { useSettleUnseen } from '../../../api/coins/unseen.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/chains.ts'

type Props = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Said of a failure without a sentence. */
  readonly failed: string
  readonly settle: ReturnType<typeof useSettleUnseen>
  readonly opened: boolean
  readonly onClose: () => void
}

/** Settles a line with what was done about it. */
export const SettleDialog = ({ id, title, text, failed, settle, opened, onClose }: Props) => (
  <ReasonDialog
    words={{
      title,
      reason: t('settle.reason'),
      missing: t('settle.missing'),
      submit: t('settle.submit'),
      busy: t('settle.busy'),
      failed,
    }}
    step={settle}
    send={(reason, done) =>
      settle.mutate({ id, reason }, { onSuccess: () => done(t('settle.done')) })
    }
    opened={opened}
    onClose={onClose}
  >
    <p>{text}</p>
  </ReasonDialog>
)
