import { Button } from '@mantine/core'
import { t } from '../i18n/lists.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import classes from './NothingMatches.module.css'
import type { ListState } from './state.ts'

type Props = {
  readonly state: ListState
  readonly isSo: boolean
}

/**
 * What stands in a list when search and filters leave nothing of it. It is said politely, too: who
 * typed the search may not see the list.
 */
export const NothingMatches = ({ state, isSo }: Props) => (
  <div role="status" className={classes.place}>
    {isSo && (
      <EmptyState
        title={t('nothingMatches')}
        text={t('nothingMatches.text')}
        action={
          <Button variant="default" size="sm" onClick={state.clear}>
            {t('showAll')}
          </Button>
        }
      />
    )}
  </div>
)
