import { Button } from '@mantine/core'
import { t } from '../i18n/lists.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import classes from './NothingMatches.module.css'
import type { ListState } from './state.ts'

type Props = {
  readonly state: ListState
  readonly isSo: boolean
}

/** Says that search and filters match nothing, to screen readers too. */
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
