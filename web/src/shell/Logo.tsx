/** A page in a mill-blue square. */
export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2d5d9f" />
      <path d="M9 7h9l5 5v13H9z" fill="#fff" />
      <path d="M12 15h8M12 18.5h8M12 22h5" stroke="#2d5d9f" strokeWidth="1.6" />
    </svg>
  );
}
