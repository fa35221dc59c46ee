import type { Tone } from '@pool/contract/base/tones'
import type { BatchState as State } from '@pool/contract/coins/batchStates'
import { t } from '../../../i18n/batches.ts'
import { Tag } from '../../../tables/cells.tsx'

const tones: Readonly<Record<State, Tone>> = {
  WAITING: 'amber',
  READY: 'blue',
  SEEN: 'purple',
  COMPLETED: 'green',
  GIVEN_UP: 'grey',
}

/** The state of a batch. A newer server may have one that this page does not know. */
export const BatchState = ({ state }: { readonly state: State | null }) =>
  state && <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>
