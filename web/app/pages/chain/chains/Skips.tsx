import { Button } from '@mantine/core'
import { type SkipState, skipStates } from '@pool/contract/chain/skips'
import type { ListedChain, ListedSkip } from '../../../api/chain/chains.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/chains.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { networkOf } from '../../../ui/networkOf.ts'

const SkipDialog = dialogOnDemand(async () => (await import('./SkipDialog.tsx')).SkipDialog)

/** A newer server may have a state that this page does not know. */
const nameOf = (state: string): string => {
  const known: SkipState | undefined = skipStates.find((each) => each === state)
  return known ? t(`skips.state.${known}`) : state
}

/** The unread block, and the button by which a super admin asks to skip it. */
const Unread = ({ network, from, onAsk }: UnreadProps) => {
  const isSuperAdmin = useSessionUser()?.role === 'SUPER_ADMIN'
  return (
    <>
      <p>
        {t('skip.unread', { from: String(from) })} {t('skip.two')}
      </p>
      {isSuperAdmin && (
        <p>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('skip.named', { from: String(from), network })}
            onClick={onAsk}
          >
            {t('skip')}
          </Button>
        </p>
      )}
    </>
  )
}
type UnreadProps = {
  readonly network: string
  readonly from: number
  readonly onAsk: () => void
}

const Skip = ({ skip: { from, to, state, agreedAt, askedBy, agreedBy, reason } }: SkipProps) => (
  <li>
    <Facts>
      <span>{t('skips.blocks', { from: String(from), to: String(to) })}</span>
      <span>{nameOf(state)}</span>
      <DateTime at={agreedAt} />
      <span>{t('skips.by', { asker: askedBy ?? '–', other: agreedBy ?? '–' })}</span>
      <q>{reason}</q>
    </Facts>
  </li>
)
type SkipProps = { readonly skip: ListedSkip }

/** The block of a network that could not be read, and the blocks that were skipped. */
export const Skips = ({ chain }: { readonly chain: ListedChain }) => {
  const { network, unreadHeight, skips } = chain
  const asking = useSubject<number>()
  const name = networkOf(network)?.name
  return (
    <>
      {unreadHeight !== null && (
        <Unread network={network} from={unreadHeight} onAsk={() => asking.open(unreadHeight)} />
      )}
      {asking.row !== null && name && (
        <SkipDialog
          key={asking.row}
          network={name}
          from={asking.row}
          opened={asking.opened}
          onClose={asking.close}
        />
      )}
      {skips.length > 0 && (
        <>
          <p>{t('skips.checked')}</p>
          <ul aria-label={t('skips', { network })}>
            {skips.map((skip) => (
              <Skip key={skip.id} skip={skip} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}
