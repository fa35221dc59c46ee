import { callFailed } from '@pool/contract/base/messages'
import { messageOf } from '../../../api/http/errors.ts'
import { useStory } from '../../../api/requests/stories.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { capitalized } from '../../../i18n/format.ts'
import { typeName } from '../../../i18n/named.ts'
import { StoryBody, Waiting } from '../../../panels/story/StoryBody.tsx'
import { Email } from '../../../ui/Email.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { ownerOf } from '../decisions/decided.tsx'
import type { PanelProps } from '../queue/parts.ts'
import { QueuePanel } from '../queue/QueuePanel.tsx'
import { RequestFoot } from './RequestFoot.tsx'

/** The open request with its story. */
export const RequestPanel = ({ subject: request, queue, actions }: PanelProps<TransactionRow>) => {
  const story = useStory({ kind: 'transaction', id: request.id })
  // Approvals rest on the address in the story (docs/threats.md T17).
  const shown = story.data?.transaction?.id === request.id ? story.data.transaction : null
  return (
    <QueuePanel
      title={
        <>
          {capitalized(typeName(request.type))} ·{' '}
          <PersonLink id={request.userId}>
            <Email>{ownerOf(request)}</Email>
          </PersonLink>
        </>
      }
      onClose={queue.close}
      foot={
        <RequestFoot
          key={request.id}
          request={request}
          shown={shown}
          payments={shown && (story.data?.payments ?? null)}
          queue={queue}
          actions={actions}
        />
      }
    >
      {story.data && <StoryBody story={story.data} />}
      {story.isPending && <Waiting />}
      {story.isError && !story.data && (
        <ErrorState
          message={messageOf(story.error, callFailed.dashboard)}
          retrying={story.isFetching}
          onRetry={() => void story.refetch()}
        />
      )}
    </QueuePanel>
  )
}
