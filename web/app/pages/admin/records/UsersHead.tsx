import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../i18n/people.ts'
import { useAsked } from '../../../layout/useAsked.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import { OpenProposals } from '../../accounts/person/OpenProposals.tsx'
import classes from './UsersHead.module.css'

const InviteDialog = dialogOnDemand(async () => (await import('./InviteDialog.tsx')).InviteDialog)

/** Above the users: the open changes of access, and the button that invites to the staff. */
export const UsersHead = () => {
  const mayWrite = useMayWrite()
  const [opened, setOpened] = useState(false)
  useAsked({ invite: () => setOpened(true) })
  return (
    <>
      <OpenProposals />
      {mayWrite && (
        <div className={classes.invite} data-print="none">
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('invite')}
          </Button>
          {opened && <InviteDialog opened={opened} onClose={() => setOpened(false)} />}
        </div>
      )}
    </>
  )
}
