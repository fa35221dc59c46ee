import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SessionRow } from '../../../api/accounts/ownSessions.ts'
import { type ShownPerson, usePersonAccess } from '../../../api/accounts/people.ts'
import { t } from '../../../i18n/people.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { OpenProposals, roleName } from './OpenProposals.tsx'
import { Part } from './Part.tsx'
import classes from './Person.module.css'

const ChangeDialog = dialogOnDemand(async () => (await import('./ChangeDialog.tsx')).ChangeDialog)

const deviceName = ({ browser, system }: SessionRow['device']): string =>
  browser && system
    ? t('sessions.device', { browser, system })
    : (browser ?? system ?? t('sessions.unknown'))

const kindName = (kind: string): string =>
  kind === 'TOTP' || kind === 'PASSKEY' ? t(`factor.${kind}`) : kind

/** A person's roles, sessions and second factors, for super admins and auditors. */
export const Access = ({ person }: { person: ShownPerson }) => {
  const { id } = person
  const mayWrite = useMayWrite()
  const [opened, setOpened] = useState(false)
  const query = usePersonAccess(id, t('access.failed'))
  const { data } = query
  return (
    <Part id="access" title={t('access')} text={t('access.text')}>
      <OpenProposals userId={id} />
      {!data && <Pending query={query} failed={t('access.failed')} loading={t('access.loading')} />}
      {data && (
        <dl className={classes.facts}>
          <dt>{t('roles')}</dt>
          <dd>{data.roles.map(roleName).join(', ') || t('factors.none')}</dd>
          <dt>{t('sessions')}</dt>
          <dd>
            {data.sessions.length === 0 && t('sessions.none')}
            <ul>
              {data.sessions.map(({ id: session, device, ip, lastUsedAt }) => (
                <li key={session}>
                  {deviceName(device)} {ip && t('sessions.from', { ip })}
                  {', '}
                  {t('sessions.used')} <DateTime at={lastUsedAt} />
                </li>
              ))}
            </ul>
          </dd>
          <dt>{t('factors')}</dt>
          <dd>
            {data.factors.length === 0 && t('factors.none')}
            <ul>
              {data.factors.map(({ id: factor, kind, name }) => (
                <li key={factor}>
                  {name} ({kindName(kind)})
                </li>
              ))}
            </ul>
          </dd>
          {data.factors.length > 0 && (
            <>
              <dt>{t('codes')}</dt>
              <dd>{data.recoveryCodes}</dd>
            </>
          )}
        </dl>
      )}
      {data && mayWrite && (
        <div data-print="none">
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('change')}
          </Button>
          {opened && (
            <ChangeDialog
              person={person}
              roles={data.roles}
              hasFactor={data.factors.length > 0}
              opened={opened}
              onClose={() => setOpened(false)}
            />
          )}
        </div>
      )}
    </Part>
  )
}
