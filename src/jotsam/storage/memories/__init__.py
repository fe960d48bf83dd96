"""What is stored of documents and memories, what is selected of them, and what belongs to them."""
