import { Skeleton, Stack } from '@mantine/core'

/** The place of rows that are loading. */
export const LoadingRows = ({ label }: { label: string }) => (
  <Stack gap="sm" py="xs" role="status" aria-label={label}>
    {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((row) => (
      <Skeleton key={row} height={40} radius="sm" />
    ))}
  </Stack>
)
