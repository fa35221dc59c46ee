import { actionsFor } from '@pool/contract/requests/decisions'
import { actorKinds, storyEvents } from '@pool/contract/requests/stories'
import type { Story, StoryEvent } from '../../api/requests/stories.ts'
import { t } from '../../i18n/story.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './StoryPanel.module.css'

/** The name of an event. An unknown one stays as it came. */
const wordsFor = (what: string): string => {
  const known = storyEvents.find((event) => event === what)
  return known ? t(`event.${known}`) : what
}

const doerOf = ({ by: { kind, username } }: StoryEvent): string => {
  if (username) return t('by.named', { username })
  const known = actorKinds.find((actor) => actor === kind)
  return known ? t(`by.${known}`) : kind
}

/** The people who must act next, or null. */
const nextOf = ({ transaction, events: happened }: Story): string | null => {
  if (transaction?.type === 'withdrawal') {
    if (transaction.status === 'APPROVED') return t('waiting.send')
    if (transaction.status === 'PROCESSING') return t('waiting.arrival')
  }
  if (!transaction || actionsFor(transaction.type, transaction.status).length === 0) return null
  if (transaction.approvalsNeeded < 2) return t('waiting')
  return t(happened.some(({ what }) => what === 'firstApproval') ? 'waiting.second' : 'waiting.two')
}

/** The events, oldest first, and the next step. */
export const Events = ({ story }: { story: Story }) => {
  const next = nextOf(story)
  return (
    <section>
      <h3 className={classes.heading}>{t('events')}</h3>
      <ol className={classes.events}>
        {story.events.map((event) => (
          <li
            key={`${event.what} ${event.at?.getTime()}`}
            className={classes.event}
            data-what={event.what}
          >
            <span className={classes.what}>
              {wordsFor(event.what)}
              {event.amount !== null && (
                <>
                  {' · '}
                  <Money dollars={event.amount} />
                </>
              )}
            </span>
            <span className={classes.aside}>
              <DateTime at={event.at} /> {doerOf(event)}
            </span>
          </li>
        ))}
        {next && (
          <li className={classes.event} data-what="waiting">
            <span className={classes.aside}>{next}</span>
          </li>
        )}
      </ol>
    </section>
  )
}
