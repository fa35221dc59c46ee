/** Saves a file as a download of the browser. */
export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download starts in the next turn, and then the URL can go.
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}
