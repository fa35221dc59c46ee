import type { PauseName } from '@pool/contract/money/pauses'
import { usePauses } from '../../api/money/pauses.ts'
import { t } from '../../i18n/pauses.ts'

/** The words of a submit button that a pause turns off, or null. */
export const usePausedLabel = (of: PauseName): string | null =>
  usePauses().some(({ name }) => name === of) ? t(`off.${of}`) : null
