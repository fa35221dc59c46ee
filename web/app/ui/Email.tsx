/** An email that wraps before its @, not within a word. */
export const Email = ({ children }: { readonly children: string }) => {
  const at = Math.max(0, children.lastIndexOf('@'))
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  )
}
