import { Drawer } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { transactionTypes } from '@pool/contract/requests/transactions'
import { messageOf } from '../../api/http/errors.ts'
import { type Story, type Subject, useStory } from '../../api/requests/stories.ts'
import { common } from '../../i18n/common.ts'
import { t } from '../../i18n/story.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StoryBody, Waiting } from './StoryBody.tsx'
import classes from './StoryPanel.module.css'

const titleOf = (subject: Subject, story: Story | undefined): string => {
  if (subject.kind === 'investment') return t('title.investment')
  return t(`title.${transactionTypes.find((type) => type === story?.transaction?.type) ?? 'other'}`)
}

type Props = { readonly subject: Subject; readonly onClose: () => void }

/** The side panel with the facts, events and transfers of one transaction or investment. */
export const StoryPanel = ({ subject, onClose }: Props) => {
  const story = useStory(subject)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="30rem"
      title={titleOf(subject, story.data)}
      classNames={{ title: classes.title ?? '', body: classes.body ?? '' }}
      closeButtonProps={{ 'aria-label': common('close') }}
      overlayProps={{ backgroundOpacity: 0.35 }}
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
    </Drawer>
  )
}
