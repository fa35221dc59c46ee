import { messageOf } from '../api/http/errors.ts'
import { ErrorState } from './ErrorState.tsx'
import { LoadingRows } from './LoadingRows.tsx'

type Props = {
  readonly query: {
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly failed: string
  readonly loading: string
}

/** In place of what a query has not brought: the place of its rows, or what failed, with Retry. */
export const Pending = ({ query: { error, isFetching, refetch }, failed, loading }: Props) =>
  error ? (
    <ErrorState
      message={messageOf(error, failed)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  ) : (
    <LoadingRows label={loading} />
  )
