import { IconBell } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useUnread } from '../../api/reports/unread.ts'
import { t } from '../../i18n/bell.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import classes from './Bell.module.css'

const Inbox = onDemand(async () => (await import('./Inbox.tsx')).Inbox)

const INBOX = 'inbox'

/** Above it, only "99+" is said. The server counts a little further. */
const MOST_SHOWN = 99

/** The bell of the header, with the number of unread notices. It opens the inbox. */
export const Bell = () => {
  const inbox = useRef<HTMLElement>(null)
  const [opened, setOpened] = useState(false)
  const unread = useUnread() ?? 0
  // The pointer or the focus comes near: time to fetch the inbox.
  const [near, setNear] = useState(false)
  const approach = () => setNear(true)
  const isMany = unread > MOST_SHOWN
  return (
    <>
      <button
        type="button"
        className={classes.bell}
        popoverTarget={INBOX}
        onPointerEnter={approach}
        onFocus={approach}
        onClick={approach}
        aria-label={isMany ? t('unread.many') : t('unread', { count: unread })}
        data-print="none"
      >
        <IconBell size={20} stroke={1.6} aria-hidden />
        {unread > 0 && (
          <span className={classes.count} aria-hidden>
            {isMany ? '99+' : unread}
          </span>
        )}
      </button>
      <section
        ref={inbox}
        id={INBOX}
        popover="auto"
        className={classes.inbox}
        aria-label={t('title')}
        onToggle={({ newState }) => setOpened(newState === 'open')}
      >
        {near && (
          <Inbox
            opened={opened}
            hasUnread={unread > 0}
            onLeave={() => inbox.current?.hidePopover()}
          />
        )}
      </section>
    </>
  )
}
