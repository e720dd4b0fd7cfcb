"""What operators decide while servers run, and how it is carried out."""
