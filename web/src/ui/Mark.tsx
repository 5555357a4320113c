/** The mark: an open ring that closes, a seal being completed. `closed`, with its tick, is only for what is verified. */
export function Mark({ size = 24, closed = false }: { size?: number; closed?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {closed ? (
        <>
          <circle cx="12" cy="12" r="9" strokeWidth="2.6" />
          <path d="M7.9 12.3l2.9 2.9 5.4-6" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round" />
        </>
      ) : (
        <>
          <path d="M17.46 5.49A8.5 8.5 0 1 0 20.5 12" strokeWidth="3" strokeLinecap="round" />
          <circle cx="20" cy="7.6" r="1.7" fill="currentColor" stroke="none" />
        </>
      )}
    </svg>
  );
}
