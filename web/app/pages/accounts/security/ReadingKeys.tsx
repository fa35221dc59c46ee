import { Button } from '@mantine/core'
import { MOST_READING_KEYS } from '@pool/contract/accounts/readingKeys'
import { IconKey } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import {
  type ReadingKeyRow,
  useEndReadingKey,
  useReadingKeys,
} from '../../../api/accounts/readingKeys.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t } from '../../../i18n/readingKeys.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { RecentTime } from '../../../ui/RelativeTime.tsx'
import { toast } from '../../../ui/toasts.ts'
import { Card } from './Card.tsx'
import classes from './Sessions.module.css'

const MakeKeyDialog = dialogOnDemand(
  async () => (await import('./MakeKeyDialog.tsx')).MakeKeyDialog,
)

type LineProps = {
  readonly row: ReadingKeyRow
  readonly isBusy: boolean
  readonly onEnd: () => void
}

const Line = ({ row: { name, madeAt, endsAt, lastUsedAt }, isBusy, onEnd }: LineProps) => (
  <li className={classes.line}>
    <IconKey size={22} stroke={1.5} aria-hidden className={classes.icon} />
    <div className={classes.words}>
      <strong>{name}</strong>
      <p>
        <span>
          {lastUsedAt ? (
            <>
              {t('used')} <RecentTime at={lastUsedAt} />
            </>
          ) : (
            t('unused')
          )}
        </span>
        <span>
          {t('made')} <DateTime at={madeAt} />
        </span>
        <span>
          {t('ends')} <DateTime at={endsAt} />
        </span>
      </p>
    </div>
    <Button
      variant="default"
      aria-label={t('end.named', { name })}
      disabled={isBusy}
      onClick={onEnd}
    >
      {t('end')}
    </Button>
  </li>
)

/** The keys for reading, and the ways to make and end one. */
export const ReadingKeys = () => {
  const query = useReadingKeys(t('failed'))
  const { data: keys } = query
  const end = useEndReadingKey(t('end.failed'))
  const [making, setMaking] = useState(false)
  const rows = useRef<HTMLUListElement>(null)
  const endThe = (id: string) =>
    end.mutate(id, {
      onSuccess: () => {
        // The pressed button goes with its row.
        rows.current?.focus()
        toast({ message: t('ended') })
      },
    })
  return (
    <Card
      id="reading-keys"
      title={t('title')}
      text={t('text')}
      action={
        keys &&
        keys.length < MOST_READING_KEYS && (
          <Button variant="default" onClick={() => setMaking(true)}>
            {t('make')}
          </Button>
        )
      }
    >
      {end.isError && <p role="alert">{messageOf(end.error, t('end.failed'))}</p>}
      {!keys && <Pending query={query} failed={t('failed')} loading={t('loading')} />}
      {keys && (
        <ul ref={rows} tabIndex={-1} aria-labelledby="reading-keys" className={classes.lines}>
          {keys.map((row) => (
            <Line key={row.id} row={row} isBusy={end.isPending} onEnd={() => endThe(row.id)} />
          ))}
        </ul>
      )}
      {keys?.length === 0 && <p>{t('none')}</p>}
      {making && <MakeKeyDialog onClose={() => setMaking(false)} />}
    </Card>
  )
}
