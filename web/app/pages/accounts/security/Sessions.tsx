import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type SessionRow, useEndSessions, useSessions } from '../../../api/accounts/ownSessions.ts'
import { useReadingKeys } from '../../../api/accounts/readingKeys.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t as keys } from '../../../i18n/readingKeys.ts'
import { t } from '../../../i18n/security.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { RecentTime } from '../../../ui/RelativeTime.tsx'
import { toast } from '../../../ui/toasts.ts'
import { Card } from './Card.tsx'
import classes from './Sessions.module.css'

const nameOf = ({ browser, system }: SessionRow['device']): string =>
  browser && system
    ? t('sessions.device', { browser, system })
    : (browser ?? system ?? t('sessions.unknown'))

const isPhone = ({ system }: SessionRow['device']): boolean =>
  system === 'iOS' || system === 'Android'

type LineProps = {
  readonly session: SessionRow
  readonly isBusy: boolean
  readonly onEnd: () => void
}

const Line = ({ session, isBusy, onEnd }: LineProps) => {
  const { device, ip, current, startedAt, lastUsedAt } = session
  const Icon = isPhone(device) ? IconDeviceMobile : IconDeviceDesktop
  const name = nameOf(device)
  return (
    <li className={classes.line}>
      <Icon size={22} stroke={1.5} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <strong>{name}</strong>
        {current && <span className={classes.here}>{t('sessions.here')}</span>}
        <p>
          <span>{ip === '' ? t('sessions.noIp') : t('sessions.ip', { ip })}</span>
          {!current && (
            <span>
              {t('sessions.used')} <RecentTime at={lastUsedAt} />
            </span>
          )}
          <span>
            {t('sessions.started')} <DateTime at={startedAt} />
          </span>
        </p>
      </div>
      {!current && (
        <Button
          variant="default"
          aria-label={t('sessions.end.named', { name })}
          disabled={isBusy}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}

/** The living sessions of the account, and the ways to end them. */
export const Sessions = () => {
  const query = useSessions(t('sessions.failed'))
  const { data: sessions } = query
  const end = useEndSessions(t('sessions.end.failed'))
  const rows = useRef<HTMLUListElement>(null)
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  const hasKeys = (useReadingKeys(keys('failed')).data?.length ?? 0) > 0
  const [withKeys, setWithKeys] = useState(true)
  const endThe = (ending: Parameters<typeof end.mutate>[0]) =>
    end.mutate(ending, {
      onSuccess: () => {
        // The pressed button goes with its row.
        rows.current?.focus()
        toast({ message: t('others' in ending ? 'sessions.ended.others' : 'sessions.ended') })
      },
    })
  return (
    <Card
      id="sessions"
      title={t('sessions')}
      text={t('sessions.text')}
      action={
        others > 0 && (
          <div className={classes.others}>
            <Button
              variant="default"
              disabled={end.isPending}
              onClick={() => endThe({ others: true, readingKeys: withKeys })}
            >
              {t('sessions.endOthers')}
            </Button>
            {hasKeys && (
              // The component of forms would come with the first load.
              <label className={classes.choice}>
                <input
                  type="checkbox"
                  checked={withKeys}
                  onChange={({ currentTarget }) => setWithKeys(currentTarget.checked)}
                />
                {keys('withSessions')}
              </label>
            )}
          </div>
        )
      }
    >
      {end.isError && <p role="alert">{messageOf(end.error, t('sessions.end.failed'))}</p>}
      {!sessions && (
        <Pending query={query} failed={t('sessions.failed')} loading={t('sessions.loading')} />
      )}
      {sessions && (
        <ul ref={rows} tabIndex={-1} aria-labelledby="sessions" className={classes.lines}>
          {sessions.map((session) => (
            <Line
              key={session.id}
              session={session}
              isBusy={end.isPending}
              onEnd={() => endThe({ id: session.id })}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
